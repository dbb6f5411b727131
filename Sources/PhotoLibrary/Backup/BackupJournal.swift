import Crypto
import Foundation
import NIOCore
import PhotolalaAPI

/// What this device remembers of a folder between backups: the content of each file as long as its stamp is the same,
/// so that unchanged files are not read again. A cache: lost or damaged, the next backup only takes longer.
package struct BackupJournal: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let stamp: FileStamp
        let md5: ContentDigest
        let type: MediaType
        let taken: Timestamp?
        /// The content that this device last brought into the catalog at this path.
        var committed: ContentDigest?
    }

    private(set) var entries: [LibraryPath: Entry] = [:]

    init() {}

    /// The entry of a file that was not touched since.
    func unchanged(_ path: LibraryPath, _ stamp: FileStamp) -> Entry? {
        entries[path].flatMap { $0.stamp == stamp ? $0 : nil }
    }

    mutating func record(_ file: ScannedFile, _ stamp: FileStamp, _ md5: ContentDigest, _ taken: Timestamp?) {
        let committed = entries[file.path]?.committed
        entries[file.path] = Entry(stamp: stamp, md5: md5, type: file.type, taken: taken, committed: committed)
    }

    mutating func markCommitted(_ path: LibraryPath, _ md5: ContentDigest) { entries[path]?.committed = md5 }

    /// Forgets what is not there any more.
    mutating func keepOnly(_ paths: Set<LibraryPath>) { entries = entries.filter { paths.contains($0.key) } }
}

extension BackupJournal {
    /// The state file for one user's backup of one folder.
    static func path(in stateFolder: String, user: UserID, root: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user)\n\(root)"))
        return "\(stateFolder)/backup-\(name).csv"
    }

    /// Reads a state file. Blocks. Anything wrong with it gives an empty journal.
    static func load(_ path: String) -> BackupJournal {
        guard let bytes = try? StateFile.read(path), let journal = try? decode(bytes) else { return BackupJournal() }
        return journal
    }

    /// Replaces a state file, making its folder where it is missing. Blocks.
    func save(_ path: String) throws(FileError) {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try LocalFolder.create(String(path[..<slash]))
        }
        try StateFile.replace(path, with: encoded())
    }

    private static let columns = ["path", "size", "modified", "changed", "inode", "md5", "type", "taken", "committed"]

    private func encoded() -> ByteBuffer {
        var writer = CSVWriter()
        writer.row(Self.columns)
        for (path, entry) in entries {
            writer.row([
                path.description, String(entry.stamp.size), entry.stamp.modified.description,
                entry.stamp.changed.description, String(entry.stamp.inode), entry.md5.description,
                entry.type.description, entry.taken?.description ?? "", entry.committed?.description ?? "",
            ])
        }
        return writer.bytes
    }

    private static func decode(_ bytes: ByteBuffer) throws(CatalogError) -> BackupJournal {
        var journal = BackupJournal()
        var table = CSVTable(columns: columns)
        var parser = CSVParser()
        func take(_ row: Int, _ fields: [[UInt8]]) throws(CatalogError) {
            guard let values = try table.values(row: row, fields) else { return }
            guard let path = LibraryPath(values[0]), let size = Int64(values[1]), let modified = Timestamp(values[2]),
                let changed = Timestamp(values[3]), let inode = UInt64(values[4]), let md5 = ContentDigest(values[5]),
                let type = MediaType(values[6])
            else { throw .malformedRow(row, .value(column: columns[0])) }
            journal.entries[path] = Entry(
                stamp: FileStamp(size: size, modified: modified, changed: changed, inode: inode), md5: md5, type: type,
                taken: Timestamp(values[7]), committed: ContentDigest(values[8])
            )
        }
        try parser.consume(bytes.readableBytesView, onRow: take)
        try parser.finish(onRow: take)
        return journal
    }
}
