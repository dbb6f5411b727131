import Crypto
import Foundation
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import Secrets

/// Opens exactly the file that a row refers to.
///
/// The file is opened before its fingerprint is compared with the row, so a concurrent replacement can only fail the
/// comparison, never mix two versions. Every method blocks.
struct FileFinder: Sendable {
    struct Found: Sendable {
        let row: ObjectRow
        let file: OpenFile
    }

    enum Outcome: Sendable {
        case found(Found)
        case absent
        /// No file has the row's fingerprint: `prove` must read the file.
        case fingerprintMismatch
    }

    /// The number of lookups before a reader acquires the key's lock to exclude writers.
    private static let attempts = 3

    let root: String
    let index: ObjectIndex
    /// `nil` for a read-only folder.
    let locks: KeyLocks?
    let logger: Logger

    func find(_ key: ObjectKey, _ row: ObjectRow) throws(ObjectStoreError) -> Outcome {
        var row = row
        for _ in 0..<Self.attempts {
            if let file = try match(key, row) { return .found(Found(row: row, file: file)) }
            guard let current = try index.row(key) else { return .absent }
            row = current
        }
        return .fingerprintMismatch
    }

    /// Verifies a file whose fingerprint differs from its row. A copied or touched file is recognised by its MD5; a
    /// missing file or one with other bytes is an error.
    func findByContent(_ key: ObjectKey) throws(ObjectStoreError) -> Found? {
        let lock = try locks?.lock(key)
        defer { withExtendedLifetime(lock) {} }
        guard let row = try index.row(key) else { return nil }
        if let file = try match(key, row) { return Found(row: row, file: file) }
        for path in paths(key, row) {
            guard let file = try OpenFile.reading(path) else { continue }
            let before = try file.fingerprint()
            guard before.size == row.info.size, try Self.md5(of: file, size: before.size) == row.info.etag.description,
                try file.fingerprint() == before
            else { continue }
            logger.notice(
                .objectTouched, "file copied or touched; its content is intact", metadata: ["path": "\(path)"])
            index.commitQueue.submit(.updateFingerprint(key, row, as: before))
            return Found(row: row, file: file)
        }
        logger.error(.objectDamaged, "object file missing or damaged", metadata: ["key": "\(key)"])
        throw .corrupted(key.description)
    }

    private func match(_ key: ObjectKey, _ row: ObjectRow) throws(ObjectStoreError) -> OpenFile? {
        guard case .file(let fingerprint, _) = row.location else { return nil }
        for path in paths(key, row) {
            if let file = try OpenFile.reading(path), try file.fingerprint() == fingerprint { return file }
        }
        return nil
    }

    private func paths(_ key: ObjectKey, _ row: ObjectRow) -> [String] {
        guard case .file(_, let staged) = row.location else { return [] }
        let own = "\(root)/\(FileNaming.path(for: key))"
        return [own] + (staged.map { [StagingArea.path(root: root, name: $0)] } ?? [])
    }

    private static func md5(of file: OpenFile, size: Int64) throws(ObjectStoreError) -> String {
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        while offset < size {
            let chunk = try file.bytes(at: offset, count: Int(min(FileChunks.chunkSize, size - offset)))
            chunk.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            offset += Int64(chunk.readableBytes)
        }
        return Hex.encode(hasher.finalize())
    }
}
