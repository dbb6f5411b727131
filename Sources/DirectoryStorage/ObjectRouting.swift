import ObjectStorage

/// Whether an object is stored in the database or as a plain file. The key alone decides, so an object never moves
/// when it grows.
enum ObjectRouting: Equatable {
    /// The bytes are stored in the database.
    case row
    /// The bytes are stored in their own file.
    case file

    /// The largest object stored in the database, in bytes.
    static let rowLimit = 4 << 20

    init(_ key: ObjectKey) {
        let path = key.description.utf8
        let first = path.prefix { $0 != UInt8(ascii: "/") }
        // Its path on the disk would be that of the folder.
        if key.isFolderMarker {
            self = .row
        } else if first.elementsEqual("identities".utf8) || first.elementsEqual("accounts".utf8) {
            self = .row
        } else if first.elementsEqual("service".utf8) {
            self = Self.isLarge(path.dropFirst(first.count + 1)) ? .file : .row
        } else if first.elementsEqual("catalogs".utf8) {
            self = Self.isNamed(".photolala.md5", path) ? .row : .file
        } else if first.elementsEqual("users".utf8) {
            self = Self.isNamed("profile.json", path) ? .row : .file
        } else {
            self = .file
        }
    }

    /// Returns the user whose catalog or profile the key names, which deleting photos must be able to write; `nil`
    /// for any other key.
    static func metadataOwner(_ key: ObjectKey) -> String? {
        let segments = key.description.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3 else { return nil }
        let isNeeded =
            switch segments[0] {
            case "catalogs": segments[2].utf8.starts(with: ".photolala.".utf8)
            case "users": segments[2] == "profile.json"
            default: false
            }
        return isNeeded ? String(segments[1]) : nil
    }

    /// The folders of `service/` whose objects are stored as files, in the database of users.
    static let largeRecords = ["uploads", "exports"]

    private static func isLarge(_ suffix: Substring.UTF8View) -> Bool {
        let name = suffix.prefix { $0 != UInt8(ascii: "/") }
        return largeRecords.contains { name.elementsEqual($0.utf8) }
    }

    /// Returns whether the path is `{kind}/{user}/{name}`.
    private static func isNamed(_ name: String, _ path: String.UTF8View) -> Bool {
        let segments = path.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        return segments.count == 3 && segments[2].elementsEqual(name.utf8)
    }
}
