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
        if let time = members["photoTakenTime"]?.object { return .photo(Photo(members, time)) }
        let album = members["albumData"]?.object ?? members
        let isAlbum = album["date"]?.object != nil || album["access"]?.string != nil
        guard isAlbum, let title = album["title"]?.string else { return .other }
        return .album(title)
    }
}

extension TakeoutDescription.Photo {
    fileprivate init(_ members: [String: JSONValue], _ time: [String: JSONValue]) {
        title = members["title"]?.string
        url = members["url"]?.string
        (taken, isDateUnreadable) = DescriptionValue.moment(time["timestamp"])
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
