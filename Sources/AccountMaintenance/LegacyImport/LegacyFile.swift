import ObjectStorage
import PhotolalaAPI
import Secrets

/// The destination of a user's object in this layout, derived from its key in any layout.
enum LegacyFile: Equatable {
    /// The object stays at its key.
    case inPlace(UserID)
    /// A photo, whose destination depends on its bytes.
    case photo(UserID)
    /// The object belongs at this key with the same bytes.
    case relocate(UserID, ObjectKey)
    /// Not a key of a known layout.
    case unknown

    init(_ key: ObjectKey) {
        let segments = key.description.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        guard segments.count > 2, !key.isFolderMarker, let user = UserID(segments[1]) else {
            self = .unknown
            return
        }
        let path = Array(segments[2...])
        guard let name = Self.destination(of: path, in: segments[0], user) else {
            self = .photo(user)
            return
        }
        guard let destination = ObjectKey(name) else {
            self = .unknown
            return
        }
        self = destination == key ? .inPlace(user) : .relocate(user, destination)
    }

    var user: UserID? {
        switch self {
        case .inPlace(let user), .photo(let user), .relocate(let user, _): user
        case .unknown: nil
        }
    }

    /// Returns the destination key; `nil` for a photo.
    private static func destination(of path: [String], in folder: String, _ user: UserID) -> String? {
        let name = path.joined(separator: "/")
        switch folder {
        case "photos": return nil
        case "thumbnails": return thumbnailDestination(path, user) ?? "\(StorageLayout.thumbnails(user))\(name)"
        case "catalogs": return "\(StorageLayout.catalogs(user))\(name)"
        case "metadata": return "\(StorageLayout.metadata(user))\(name)"
        default:
            if path.count > 1, path[0] == "photos" { return nil }
            let thumbnail = path[0] == "thumbnails" ? thumbnailDestination(Array(path[1...]), user) : nil
            return thumbnail ?? "\(StorageLayout.userData(user))\(name)"
        }
    }

    /// `{md5}.dat`, `{md5}.jpg` and `{md5}_thumb.jpg` identify the photo of a thumbnail; other names do not.
    private static func thumbnailDestination(_ path: [String], _ user: UserID) -> String? {
        guard path.count == 1, let md5 = digest(in: path[0]) else { return nil }
        return StorageLayout.thumbnail(user, md5: md5)
    }

    /// Returns the MD5 in a file name.
    static func digest(in name: String) -> String? {
        var stem = name.prefix { $0 != "." }.lowercased()
        if stem.hasSuffix("_thumb") { stem.removeLast("_thumb".count) }
        return Hex.isLowercase(stem, count: 32) ? stem : nil
    }
}
