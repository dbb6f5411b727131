import Foundation
import PhotolalaTesting
import Synchronization

/// The disk of a device's folder: it durably has only what was in the folder at the last flush.
final class SyncDisk: Sendable {
    private struct File: Sendable {
        let bytes: [UInt8]
        let modified: Date?
    }

    private let folder: TemporaryFolder
    private let written = Mutex<[String: File]>([:])

    init(_ folder: TemporaryFolder) { self.folder = folder }

    func flush() throws {
        let files = try folder.files().map { ($0, File(bytes: try folder.read($0), modified: try folder.modified($0))) }
        written.withLock { $0 = Dictionary(uniqueKeysWithValues: files) }
    }

    /// Simulates a removed disk or a power failure: everything since the last flush is reverted.
    func forget() throws {
        let written = written.withLock { $0 }
        for name in try folder.files() where written[name] == nil {
            try FileManager.default.removeItem(atPath: folder.subpath(name))
        }
        for (name, file) in written where (try? folder.read(name)) != file.bytes {
            // An empty folder may occupy the name.
            try? FileManager.default.removeItem(atPath: folder.subpath(name))
            try folder.write(name, file.bytes, modified: file.modified)
        }
    }
}
