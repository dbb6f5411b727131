import PhotoCatalog

/// A record about one synced file, or about the synced folder.
enum SyncRow: Sendable, Equatable {
    case inSync(SyncedFile)
    /// No synced file is at this path any more.
    case removed(LibraryPath)
    /// The marker of the folder.
    case folder(String)
    /// Everything was equal with this snapshot of the catalog.
    case equal(ContentDigest)
    /// The number of entries moved to the library's trash on a day, counted from 1970.
    case removedCount(Int, day: Int)
    /// Whether downloads to the folder were confirmed. Without this row, they were if any file was synced.
    case downloads(isConfirmed: Bool)
}

/// A file of the folder that was equal to an entry of the library.
struct SyncedFile: Sendable, Equatable {
    let path: LibraryPath
    let md5: ContentDigest
    /// The path of the entry. It differs from the file's path if the entry is shown beside another one, or if its name
    /// was not available here.
    let entryPath: LibraryPath
    /// Whether the file was placed. If not, a sync had announced that it would place or remove the file, so that its
    /// absence is not a removal by the user.
    let isInPlace: Bool

    init(path: LibraryPath, md5: ContentDigest, entryPath: LibraryPath, isSettled: Bool = true) {
        self.path = path
        self.md5 = md5
        self.entryPath = entryPath
        self.isInPlace = isSettled
    }

    var entry: EntryIdentity { EntryIdentity(path: entryPath, md5: md5) }

    var notInPlace: SyncedFile { SyncedFile(path: path, md5: md5, entryPath: entryPath, isSettled: false) }
}

extension SyncRow {
    var isInSync: Bool {
        if case .inSync = self { true } else { false }
    }
}

extension SyncRow {
    private static let tab = UInt8(ascii: "\t")
    private static let checksumLength = 8

    /// Appends a checksum and the fields, separated by tabs, and a line feed.
    func write(to text: inout [UInt8]) {
        let fields = Array(fields.joined(separator: "\t").utf8)
        text += Self.checksum(fields[...])
        text.append(Self.tab)
        text += fields
        text.append(UInt8(ascii: "\n"))
    }

    private var fields: [String] {
        switch self {
        case .inSync(let file):
            [file.isInPlace ? "+" : "~", file.md5.description, JournalRow.escaped(file.path.description)]
                + (file.entryPath == file.path ? [] : [JournalRow.escaped(file.entryPath.description)])
        case .removed(let path): ["-", JournalRow.escaped(path.description)]
        case .folder(let marker): ["folder", marker]
        case .equal(let snapshot): ["equal", snapshot.description]
        case .removedCount(let count, let day): ["lost", "\(count)", "\(day)"]
        case .downloads(let isConfirmed): ["downloads", isConfirmed ? "1" : "0"]
        }
    }

    /// Parses a line; returns `nil` if it is incomplete.
    init?(line: ArraySlice<UInt8>) {
        guard line.count > Self.checksumLength, line[line.startIndex + Self.checksumLength] == Self.tab else {
            return nil
        }
        let content = line.dropFirst(Self.checksumLength + 1)
        guard Self.checksum(content).elementsEqual(line.prefix(Self.checksumLength)) else { return nil }
        let fields = content.split(separator: Self.tab, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch (fields[0], fields.count) {
        case ("+", 3...4), ("~", 3...4):
            let paths = fields[2...].compactMap { LibraryPath(JournalRow.unescaped($0)) }
            guard let md5 = ContentDigest(fields[1]), paths.count == fields.count - 2, let entry = paths.last else {
                return nil
            }
            self = .inSync(SyncedFile(path: paths[0], md5: md5, entryPath: entry, isSettled: fields[0] == "+"))
        case ("-", 2):
            guard let path = LibraryPath(JournalRow.unescaped(fields[1])) else { return nil }
            self = .removed(path)
        case ("folder", 2): self = .folder(fields[1])
        case ("equal", 2):
            guard let snapshot = ContentDigest(fields[1]) else { return nil }
            self = .equal(snapshot)
        case ("lost", 3):
            guard let count = Int(fields[1]), let day = Int(fields[2]), (0..<1 << 32).contains(count),
                (-1 << 32..<1 << 32).contains(day)
            else { return nil }
            self = .removedCount(count, day: day)
        case ("downloads", 2):
            guard ["0", "1"].contains(fields[1]) else { return nil }
            self = .downloads(isConfirmed: fields[1] == "1")
        default: return nil
        }
    }

    /// Returns an FNV-1a checksum. It detects truncated or merged lines and is no protection against tampering.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return (0..<checksumLength).map { digit in
            let value = UInt8(truncatingIfNeeded: hash >> UInt32(28 - 4 * digit)) & 15
            return value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
    }
}
