import ObjectStorage

/// Which objects live in the database and which are plain files: decided by the key alone, so that an object never
/// moves when it grows.
enum ObjectRouting: Equatable {
    /// The bytes are in the database.
    case row
    /// The bytes are a file of their own.
    case file

    /// The largest object that the database takes, in bytes.
    static let rowLimit = 4 << 20

    init(_ key: ObjectKey) {
        let segments = key.description.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        let first = segments.first.map(Substring.init) ?? ""
        switch first {
        case "identities", "accounts": self = .row
        case "service": self = segments.count > 1 && Substring(segments[1]) == "uploads" ? .file : .row
        case "catalogs": self = segments.count == 3 && Substring(segments[2]) == ".photolala.md5" ? .row : .file
        case "users": self = segments.count == 3 && Substring(segments[2]) == "profile.json" ? .row : .file
        default: self = .file
        }
    }
}
