import Crypto
import Foundation
import NIOCore
import PhotoCatalog

/// One line of a journal: a checksum and the fields, separated by tabs.
enum JournalRow: Sendable {
    case file(LibraryPath, BackupJournal.Entry)
    case nonMedia(LibraryPath, FileFingerprint)
    /// The day, counted from 1970, on which a backup last checked that day's share of stored contents.
    case checked(day: Int)
    /// A file that no longer exists. Versions that do not know this row ignore it.
    case removed(LibraryPath)

    private static let tab = UInt8(ascii: "\t")
    private static let checksumLength = 8
    private static let removedMarker = "gone"
    /// The last field of a row for a file that does not belong to the library. The number changes with the set of known
    /// formats, so that files ignored by an earlier version are read again.
    private static let formatsMarker = "formats 2"

    /// The line with its terminator.
    var line: [UInt8] { Self.line(of: fields) }

    /// Returns a line with its terminator.
    static func line(of fields: [String]) -> [UInt8] {
        let fields = Array(fields.joined(separator: "\t").utf8)
        return checksum(fields[...]) + [tab] + fields + [UInt8(ascii: "\n")]
    }

    /// Returns the fields of a line, still escaped; `nil` if it is incomplete.
    static func fields(of line: some Collection<UInt8>) -> [String]? {
        let line = Array(line)
        guard line.count > checksumLength, line[checksumLength] == tab else { return nil }
        let content = line[(checksumLength + 1)...]
        guard checksum(content)[...] == line[..<checksumLength] else { return nil }
        return content.split(separator: tab, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns the lines of several rows.
    static func lines(of rows: [JournalRow]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for row in rows { bytes.writeBytes(row.line) }
        return bytes
    }

    private var fields: [String] {
        switch self {
        case .file(let path, let entry):
            let facts = entry.facts
            return Self.encoded(path, entry.fingerprint) + [
                entry.md5.description, entry.type.description, facts.taken?.description ?? "",
                facts.width.map { String($0) } ?? "", facts.height.map { String($0) } ?? "",
                facts.orientation.map { String($0) } ?? "", entry.committed?.description ?? "",
                entry.isOwnAddition ? "brought" : "", entry.isDeleted ? "deleted" : "", facts.location?.text ?? "",
                facts.color?.description ?? "", facts.duration.map { String($0.milliseconds) } ?? "",
                facts.camera?.description ?? "",
            ]
        case .nonMedia(let path, let fingerprint): return Self.encoded(path, fingerprint) + [Self.formatsMarker]
        case .checked(let day): return [String(day)]
        case .removed(let path): return [Self.escaped(path.description), Self.removedMarker]
        }
    }

    /// Parses a line; returns `nil` if it is incomplete.
    init?(line: some Collection<UInt8>) {
        guard let fields = Self.fields(of: line) else { return nil }
        if fields.count == 1, let day = Int(fields[0]) {
            self = .checked(day: day)
            return
        }
        if fields.count == 2, fields[1] == Self.removedMarker, let path = LibraryPath(Self.unescaped(fields[0])) {
            self = .removed(path)
            return
        }
        guard [6, 12, 13, 14, 15, 16, 18].contains(fields.count), let path = LibraryPath(Self.unescaped(fields[0])),
            let size = Int64(fields[1]), let modified = Timestamp(fields[2]), let changed = Timestamp(fields[3]),
            let inode = UInt64(fields[4])
        else { return nil }
        let fingerprint = FileFingerprint(size: size, modified: modified, changed: changed, inode: inode)
        guard fields.count > 6 else {
            guard fields[5] == Self.formatsMarker else { return nil }
            self = .nonMedia(path, fingerprint)
            return
        }
        guard let md5 = ContentDigest(fields[5]), let type = MediaType(fields[6]) else { return nil }
        let facts = MediaFacts(
            taken: CaptureDate(fields[7]), width: Int32(fields[8]), height: Int32(fields[9]),
            orientation: UInt8(fields[10]), location: fields.count > 14 ? GeoLocation(fields[14]) : nil,
            color: fields.count > 15 ? PictureColor(fields[15]) : nil,
            duration: fields.count > 17 ? UInt32(fields[16]).flatMap { MediaDuration(milliseconds: $0) } : nil,
            camera: fields.count > 17 ? CameraName(fields[17]) : nil
        )
        // Rows with fewer fields do not record whether this device added the content, whether it was deleted, the location, the
        // color, or the duration and the camera.
        let isOwnAddition = fields.count > 12 && fields[12] == "brought"
        let isDeleted = fields.count > 13 && fields[13] == "deleted"
        self = .file(
            path,
            .init(
                fingerprint: fingerprint, md5: md5, type: type, facts: facts, committed: ContentDigest(fields[11]),
                isOwnAddition: isOwnAddition, isDeleted: isDeleted
            ))
    }

    private static func encoded(_ path: LibraryPath, _ fingerprint: FileFingerprint) -> [String] {
        [
            escaped(path.description), String(fingerprint.size), fingerprint.modified.description,
            fingerprint.changed.description,
            String(fingerprint.inode),
        ]
    }

    /// Returns the first digits of the MD5. This detects truncated or merged lines and is no protection against
    /// tampering.
    private static func checksum(_ fields: ArraySlice<UInt8>) -> [UInt8] {
        Array(ContentDigest(of: ByteBuffer(bytes: fields)).description.utf8.prefix(checksumLength))
    }

    /// Escapes tabs and line feeds, which file names can contain.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == tab || $0 == 10 || $0 == UInt8(ascii: "\\") }) else { return text }
        return String(
            decoding: text.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "\\"): Array("\\\\".utf8)
                case tab: Array("\\t".utf8)
                case 10: Array("\\n".utf8)
                default: [byte]
                }
            }, as: UTF8.self)
    }

    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        var remaining = text.utf8[...]
        while let byte = remaining.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = remaining.popFirst() else {
                bytes.append(byte)
                continue
            }
            bytes.append(next == UInt8(ascii: "t") ? tab : next == UInt8(ascii: "n") ? 10 : next)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
