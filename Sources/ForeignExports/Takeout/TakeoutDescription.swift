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
        guard bytes.readableBytes <= limit else { return nil }
        var view = bytes.readableBytesView[...]
        if view.starts(with: [0xef, 0xbb, 0xbf]) { view = view.dropFirst(3) }
        guard let read = try? JSONReader.read(view), let members = read.object else { return nil }
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
        switch time["timestamp"] {
        case .string(let text)?:
            let seconds = Int64(text)
            isDateUnreadable = seconds == nil && !text.isEmpty
            taken = Self.moment(seconds)
        case .number?:
            let seconds = time["timestamp"]?.integer
            isDateUnreadable = seconds == nil
            taken = Self.moment(seconds.map(Int64.init))
        default: break
        }
        // The place in the file has precedence over both; the first one includes corrections by the user.
        location = Self.location(members["geoData"]) ?? Self.location(members["geoDataExif"])
        let isTrue = { (name: String) in members[name] == .bool(true) }
        isFavorite = isTrue("favorited")
        isArchived = isTrue("archived")
        isTrashed = isTrue("trashed")
        isLocked = isTrue("inLockedFolder")
        isFromPartner = members["googlePhotosOrigin"]?.object?["fromPartnerSharing"] != nil
        hasCaption = members["description"]?.string.map { $0.contains { !$0.isWhitespace } } ?? false
    }

    /// Returns the moment; 0 means that it is unknown.
    private static func moment(_ seconds: Int64?) -> Timestamp? {
        guard let seconds, seconds != 0 else { return nil }
        return CaptureDate(Timestamp(seconds: seconds, nanoseconds: 0))?.moment
    }

    private static func location(_ value: JSONValue?) -> GeoLocation? {
        guard case .number(let latitude)? = value?.object?["latitude"],
            case .number(let longitude)? = value?.object?["longitude"]
        else { return nil }
        return GeoLocation(latitude: latitude, longitude: longitude)
    }
}
