import Crypto
import NIOCore
import ObjectStorage
import PhotoCatalog

/// The bytes of a photo in an export, for an upload. If they do not have the expected MD5, the last piece is withheld and
/// the stream throws, so that no store keeps them under a wrong key.
struct ArchivedFileBody: AsyncSequence, Sendable {
    let file: OpenFile
    /// The position of the photo in the archive.
    let offset: Int64
    let size: Int64
    let md5: ContentDigest
    /// Called after each piece with the number of bytes read so far.
    let report: @Sendable (Int64) -> Void

    private static let pieceLength: Int64 = 1 << 20

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        let source: ArchivedFileBody
        private var hasher = Insecure.MD5()
        private var position: Int64 = 0

        init(source: ArchivedFileBody) { self.source = source }

        mutating func next() async throws -> ByteBuffer? {
            guard position < source.size else { return nil }
            let (file, start) = (source.file, source.offset + position)
            let count = Int(Swift.min(ArchivedFileBody.pieceLength, source.size - position))
            let bytes = try await FileWork.run { () throws(FileError) in try file.read(from: start, count: count) }
            hasher.update(bytes)
            position += Int64(count)
            guard bytes.readableBytes == count,
                position < source.size || ContentDigest(hasher.finalize()) == source.md5
            else { throw ObjectStoreError.digestMismatch }
            source.report(position)
            return bytes
        }
    }
}
