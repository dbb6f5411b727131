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
        let path = key.description.utf8
        if path.starts(with: "identities/".utf8) || path.starts(with: "accounts/".utf8) {
            self = .row
        } else if path.starts(with: "service/".utf8) {
            self = path.starts(with: "service/uploads/".utf8) ? .file : .row
        } else if path.starts(with: "catalogs/".utf8) {
            self = Self.stands(".photolala.md5", in: path) ? .row : .file
        } else if path.starts(with: "users/".utf8) {
            self = Self.stands("profile.json", in: path) ? .row : .file
        } else {
            self = .file
        }
    }

    /// Whether the path is `{kind}/{user}/{name}`.
    private static func stands(_ name: String, in path: String.UTF8View) -> Bool {
        let segments = path.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        return segments.count == 3 && segments[2].elementsEqual(name.utf8)
    }
}
