import ObjectStorage
import PhotolalaAPI
import Secrets

/// Where an object of a user's belongs in this layout, by its key in whichever one.
enum OlderFile: Equatable {
    /// It has its place, or keeps it.
    case settled(UserID)
    /// A photo: its bytes decide where it belongs.
    case photo(UserID)
    /// The same bytes belong here.
    case moves(UserID, ObjectKey)
    /// Not a key of any layout.
    case unknown

    init(_ key: ObjectKey) {
        let segments = key.description.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        guard segments.count > 2, !key.isFolderMarker, let user = UserID(segments[1]) else {
            self = .unknown
            return
        }
        let rest = Array(segments[2...])
        guard let place = Self.place(of: rest, in: segments[0], user) else {
            self = .photo(user)
            return
        }
        guard let destination = ObjectKey(place) else {
            self = .unknown
            return
        }
        self = destination == key ? .settled(user) : .moves(user, destination)
    }

    var user: UserID? {
        switch self {
        case .settled(let user), .photo(let user), .moves(let user, _): user
        case .unknown: nil
        }
    }

    /// The key where it belongs; `nil` for a photo.
    private static func place(of rest: [String], in folder: String, _ user: UserID) -> String? {
        let name = rest.joined(separator: "/")
        switch folder {
        case "photos": return nil
        case "thumbnails": return thumbnail(rest, user) ?? "\(StorageLayout.thumbnails(user))\(name)"
        case "catalogs": return "\(StorageLayout.catalogs(user))\(name)"
        case "metadata": return "\(StorageLayout.metadata(user))\(name)"
        default:
            if rest.count > 1, rest[0] == "photos" { return nil }
            let thumbnail = rest[0] == "thumbnails" ? thumbnail(Array(rest[1...]), user) : nil
            return thumbnail ?? "\(StorageLayout.userData(user))\(name)"
        }
    }

    /// `{md5}.dat`, `{md5}.jpg` and `{md5}_thumb.jpg` tell whose thumbnail it is; other names do not.
    private static func thumbnail(_ rest: [String], _ user: UserID) -> String? {
        guard rest.count == 1, let md5 = digest(in: rest[0]) else { return nil }
        return StorageLayout.thumbnail(user, md5: md5)
    }

    /// The MD5 that a file's name states.
    static func digest(in name: String) -> String? {
        var stem = name.prefix { $0 != "." }.lowercased()
        if stem.hasSuffix("_thumb") { stem.removeLast("_thumb".count) }
        return Hex.isLowercase(stem, count: 32) ? stem : nil
    }
}
