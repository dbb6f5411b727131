import Crypto
import NIOCore
import ObjectStorage
import PhotoCatalog

/// A file's bytes for an upload, hashed again while they are read. If they do not have the expected MD5, the last piece
/// is withheld and the stream throws, so that no store keeps them under a wrong key.
struct VerifiedFileBody: AsyncSequence, Sendable {
    let path: String
    let fingerprint: FileFingerprint
    let md5: ContentDigest
    /// Called after each piece with the number of bytes read so far.
    let reportSent: @Sendable (Int64) -> Void

    private static let pieceLength = 1 << 20

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        let source: VerifiedFileBody
        private var file: OpenFile?
        private var hasher = Insecure.MD5()
        private var offset: Int64 = 0

        init(source: VerifiedFileBody) { self.source = source }

        mutating func next() async throws -> ByteBuffer? {
            guard offset < source.fingerprint.size else { return nil }
            let (known, path, start, before) = (file, source.path, offset, hasher)
            let count = Int(Swift.min(Int64(VerifiedFileBody.pieceLength), source.fingerprint.size - offset))
            let (file, bytes, after, fingerprint) = try await FileWork.run { () throws(FileError) in
                let file = if let known { known } else { try OpenFile(path) }
                let bytes = try file.read(from: start, count: count)
                var hasher = before
                hasher.update(bytes)
                return (file, bytes, hasher, try file.fingerprint())
            }
            (self.file, hasher) = (file, after)
            guard bytes.readableBytes == count, fingerprint == source.fingerprint else {
                throw ObjectStoreError.digestMismatch
            }
            offset += Int64(count)
            if offset == source.fingerprint.size, ContentDigest(after.finalize()) != source.md5 {
                throw ObjectStoreError.digestMismatch
            }
            source.reportSent(offset)
            return bytes
        }
    }
}
