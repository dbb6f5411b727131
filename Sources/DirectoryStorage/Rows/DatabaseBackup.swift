import Foundation
import GRDB
import Logging
import ObjectStorage

/// Copies of both databases, each a consistent snapshot, from which a store can be opened.
///
/// Other tools copy pages from the write-ahead log, where they have no checksums yet.
struct DatabaseBackup {
    let root: String
    let logger: Logger

    /// Writes the copies into a folder that has none of these files. Pages are verified as they are read.
    /// - Throws: `denied` if a file of the same name exists; nothing is replaced.
    func write(to folder: String) throws(ObjectStoreError) {
        // SQLite needs an absolute path.
        let folder = URL(filePath: folder).path
        do {
            try createFolder(folder)
            for kind in DatabaseKind.allCases {
                for name in [kind.fileName, "\(kind.fileName).mark"]
                where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
                    throw ObjectStoreError.denied("\(folder)/\(name) already exists. Use another folder")
                }
            }
            var counts: [DatabaseKind: Int64] = [:]
            for kind in DatabaseKind.allCases { counts[kind] = try copy(kind, to: folder) }
            // Each mark knows of the other copy what it has: a commit made between the two copies may be in the second one alone.
            for (kind, mark) in CommitMark.both(in: folder, logger: logger) {
                guard let count = counts[kind], let other = counts[kind.other] else { continue }
                try mark.begin(at: count, other: other)
            }
            try OpenFile.reading(folder)?.synchronize()
        } catch {
            throw .database(error, folder)
        }
    }

    private func createFolder(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError where [.fileWriteNoPermission, .fileWriteVolumeReadOnly].contains(error.code) {
            throw ObjectStoreError.denied("no permission to create the folder \(folder)")
        } catch is CocoaError {
            let isFile = FileManager.default.fileExists(atPath: folder)
            throw ObjectStoreError.denied(
                isFile ? "\(folder) is a file. Use another folder" : "could not create the folder \(folder)")
        }
    }

    /// Returns the number of commits in the copy.
    private func copy(_ kind: DatabaseKind, to folder: String) throws -> Int64 {
        let path = ObjectIndex.path(folder, kind)
        try OpenFile.writing(path).synchronize()
        let source = try ObjectIndexSchema.openReader(ObjectIndex.path(root, kind), access(kind))
        let target = try DatabaseQueue(path: BufferedLogVFS.location(path))
        try source.backup(to: target)
        let findings = try target.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
        guard findings == ["ok"] else { throw ObjectStoreError.corrupted("damaged copy \(path)") }
        let count = try target.read { try CommitCount.read($0) }
        try target.close()
        try source.close()
        try OpenFile.writing(path).synchronize()
        return count
    }

    private func access(_ kind: DatabaseKind) -> BufferedLogVFS.Access {
        FileManager.default.isWritableFile(atPath: root)
            ? .shared : ObjectIndex.readOnlyAccess(ObjectIndex.path(root, kind))
    }
}
