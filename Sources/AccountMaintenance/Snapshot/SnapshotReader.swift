import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import Secrets

/// Reads a snapshot file from its beginning and verifies every line and, at the end, the whole file. Memory holds one
/// chunk of the file and one line.
struct SnapshotReader {
    /// The verified contents of a file.
    struct Contents: Sendable, Equatable {
        let summary: SnapshotSummary
        /// SHA-256 of all but the last line, in hex.
        let sha256: String
        /// `nil` if the snapshot has none.
        let manifest: StoreManifest?
    }

    private let next: SnapshotRecovery.ChunkReader
    private var buffer = ByteBuffer()
    private var searched = 0
    private var number = 0
    private var hash = SHA256()
    private var counted = 0

    init(_ next: @escaping SnapshotRecovery.ChunkReader) { self.next = next }

    /// Reads the whole file.
    /// - Parameter act: receives each object as it was stored, before the whole file is verified.
    mutating func read(
        _ keyRing: KeyRing, _ body: (ObjectKey, ByteBuffer) async throws(SnapshotError) -> Void
    ) async throws(SnapshotError) -> Contents {
        guard let line = try? nextLine(), let header = line.header, header.version == SnapshotLine.Header.currentVersion
        else {
            throw .notASnapshot
        }
        var manifest: StoreManifest?
        var summary: SnapshotSummary?
        while let line = try nextLine() {
            if let seal = line.seal, let summary {
                return Contents(summary: summary, sha256: try check(seal, keyRing), manifest: manifest)
            }
            guard summary == nil else { throw .damaged(line: number) }
            if let object = line.object {
                let (key, bytes) = try check(object)
                if SnapshotScope.kind(of: key) == .manifest { manifest = Documents<StoreManifest>.decode(bytes) }
                try await body(key, bytes)
            } else {
                guard let found = line.summary, found.objects == counted, found.startedAt == header.startedAt else {
                    throw .damaged(line: number)
                }
                summary = found
            }
        }
        throw .truncated
    }

    private mutating func check(_ object: SnapshotLine.Object) throws(SnapshotError) -> (ObjectKey, ByteBuffer) {
        guard let key = ObjectKey(object.key), SnapshotScope.contains(key),
            Hex.encode(SHA256.hash(data: object.body)) == object.sha256
        else { throw .damaged(line: number) }
        counted += 1
        return (key, ByteBuffer(bytes: object.body))
    }

    private mutating func check(_ seal: SnapshotLine.Seal, _ keyRing: KeyRing) throws(SnapshotError) -> String {
        let digest = Hex.encode(hash.finalize())
        guard seal.sha256 == digest else { throw .damaged(line: number) }
        guard keyRing.keyIDs.contains(seal.keyID) else { throw .missingKey(seal.keyID) }
        guard keyRing.isAuthentic(seal.code, of: Data(digest.utf8), for: .snapshot, keyID: seal.keyID) else {
            throw .notAuthentic(keyID: seal.keyID)
        }
        guard buffer.readableBytes == 0, try next() == nil else { throw .damaged(line: number + 1) }
        return digest
    }

    /// Returns the next line; `nil` at the end of the file. A last line without a line feed is ignored.
    private mutating func nextLine() throws(SnapshotError) -> SnapshotLine? {
        while true {
            let view = buffer.readableBytesView.dropFirst(searched)
            if let end = view.firstIndex(of: UInt8(ascii: "\n")) {
                let length = end - buffer.readerIndex + 1
                guard let bytes = buffer.readSlice(length: length) else { throw .damaged(line: number + 1) }
                (searched, number) = (0, number + 1)
                guard let line = SnapshotLine.decode(bytes) else { throw .damaged(line: number) }
                if line.seal == nil { bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) } }
                return line
            }
            guard buffer.readableBytes <= SnapshotLine.maximumLength else { throw .damaged(line: number + 1) }
            searched = buffer.readableBytes
            guard var piece = try next() else { return nil }
            buffer.discardReadBytes()
            buffer.writeBuffer(&piece)
        }
    }
}
