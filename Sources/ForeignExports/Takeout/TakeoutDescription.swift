import JSONCoding
import NIOCore
import PhotoCatalog

/// What a JSON file of a Takeout describes. Files are recognized by their content: their names depend on the account's
/// language.
package enum TakeoutDescription: Sendable, Equatable {
    case photo(Photo)
    /// An album, with its title.
    case album(String)
    /// Something else, such as comments or print orders.
    case other

    /// The longest file that is read, in bytes; real ones have a few kilobytes.
    package static let limit = 1 << 20

    /// What Google Photos says about one photo or video.
    package struct Photo: Sendable, Equatable {
        /// The original file name, as it was uploaded.
        package var title: String?
        package var taken: Timestamp?
        /// Whether there is a date that cannot be read.
        package var isDateUnreadable = false
        package var location: GeoLocation?
        package var isFavorite = false
        package var isArchived = false
        package var isTrashed = false
        package var isLocked = false
        package var isHidden: Bool { isArchived || isLocked }
        /// Whether it was shared by a partner.
        package var isFromPartner = false
        package var hasCaption = false
        /// The page of the photo, which is the same for its copies in albums.
        package var url: String?
    }

    /// Reads a file; returns `nil` if it is no JSON object.
    package static func read(_ bytes: ByteBuffer) -> TakeoutDescription? {
        guard bytes.readableBytes <= limit, let members = DescriptionValue.members(bytes.readableBytesView) else {
            return nil
        }
        let isPhoto = ["photoTakenTime", "archived", "inLockedFolder", "trashed"].contains { members[$0] != nil }
        if isPhoto { return .photo(Photo(members)) }
        let album = members["albumData"]?.object ?? members
        let isAlbum = album["date"]?.object != nil || album["access"]?.string != nil
        guard isAlbum, let title = album["title"]?.string else { return .other }
        return .album(title)
    }
}

extension TakeoutDescription.Photo {
    fileprivate init(_ members: [String: JSONValue]) {
        title = members["title"]?.string
        url = members["url"]?.string
        if let time = members["photoTakenTime"] {
            (taken, isDateUnreadable) = time.object.map { DescriptionValue.moment($0["timestamp"]) } ?? (nil, true)
        }
        // The place in the file has precedence over both; the first one includes corrections by the user.
        location = DescriptionValue.location(members["geoData"]) ?? DescriptionValue.location(members["geoDataExif"])
        let isTrue = { (name: String) in members[name] == .bool(true) }
        isFavorite = isTrue("favorited")
        isArchived = isTrue("archived")
        isTrashed = isTrue("trashed")
        isLocked = isTrue("inLockedFolder")
        isFromPartner = members["googlePhotosOrigin"]?.object?["fromPartnerSharing"] != nil
        hasCaption = DescriptionValue.hasText(members["description"])
    }
}
