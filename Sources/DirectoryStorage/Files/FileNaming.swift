import Crypto
import ObjectStorage
import Secrets

/// The path of an object's file below the data folder: the key itself wherever every file system preserves it.
///
/// - Lower-case letters, digits, `-`, `_` and `.` are kept. Every other byte becomes `%` and two lower-case hex
///   digits: capitals and non-ASCII because file systems fold case and normalise, the rest because some file systems
///   reserve it.
/// - A `.` at the end of a segment, the first byte of the store's own names at the top level, and that of names
///   reserved by Windows are escaped too.
/// - `a/b` and `a/b/c` may both be objects. A file's name contains a `.` and a folder's name does not; a name that
///   breaks this rule gets a trailing `%`, which the escapes never produce.
/// - A segment above 200 bytes becomes `~` and its SHA-256, a path above 700 bytes `~/` and the key's SHA-256. These
///   are not reversible; the database holds every key in full.
enum FileNaming {
    static let segmentLimit = 200
    static let pathLimit = 700

    /// Returns the path below the data folder.
    static func path(for key: ObjectKey) -> String {
        let segments = key.description.utf8.split(separator: UInt8(ascii: "/"))
        var names = [String]()
        for (index, segment) in segments.enumerated() {
            let name = escape(segment, isFirst: index == 0)
            let isFile = index == segments.count - 1
            names.append(name.utf8.contains(UInt8(ascii: ".")) == isFile ? name : name + "%")
        }
        let path = names.joined(separator: "/")
        return path.utf8.count <= pathLimit ? path : "~/\(digest(key.description.utf8))%"
    }

    private static func escape(_ segment: Substring.UTF8View, isFirst: Bool) -> String {
        let escapesStart = isFirst && isInternalName(segment) || isReserved(segment)
        var name = [UInt8]()
        for (index, byte) in segment.enumerated() {
            let isEdge = index == 0 && escapesStart || byte == UInt8(ascii: ".") && index == segment.count - 1
            if isPlain(byte) && !isEdge {
                name.append(byte)
            } else {
                name.append(UInt8(ascii: "%"))
                name.append(contentsOf: Hex.encode([byte]).utf8)
            }
        }
        return name.count <= segmentLimit ? String(decoding: name, as: UTF8.self) : "~\(digest(segment))"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// `.incoming`, `.locks` and the databases are at the top level.
    private static func isInternalName(_ segment: Substring.UTF8View) -> Bool {
        segment.first == UInt8(ascii: ".") || segment.starts(with: ObjectIndex.fileName.utf8)
    }

    private static func isReserved(_ segment: Substring.UTF8View) -> Bool {
        let stem = segment.prefix { $0 != UInt8(ascii: ".") }
        switch stem.count {
        case 3: return ["con", "prn", "aux", "nul"].contains(Substring(stem))
        case 4: return ["com", "lpt"].contains(Substring(stem.prefix(3))) && stem.last.map(isDigit) == true
        default: return false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func digest(_ text: some Sequence<UInt8>) -> String { Hex.encode(SHA256.hash(data: Array(text))) }
}
