import Crypto
import NIOCore
import ObjectStorage
import PhotoCatalog

/// The bytes of a resource for an upload, hashed again while they are read. If they do not have the expected MD5, the
/// last chunk is withheld and the stream throws, so that no store keeps them under a wrong key.
struct AssetBody: AsyncSequence, Sendable {
    let chunks: @Sendable () -> any AsyncSequence<ByteBuffer, any Error> & Sendable
    let size: Int64
    let md5: ContentDigest
    /// Called after each chunk with the number of bytes read so far.
    let reportSent: @Sendable (Int64) -> Void
    /// Called if the source cannot read the resource any more.
    let reportFailure: @Sendable (SourceError) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(body: self, chunks: chunks().makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let body: AssetBody
        var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>
        private var hasher = Insecure.MD5()
        private var count: Int64 = 0
        /// The chunk that is returned once the next one was read.
        private var held: ByteBuffer?
        private var isOver = false

        init(body: AssetBody, chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>) {
            (self.body, self.chunks) = (body, chunks)
        }

        mutating func next() async throws -> ByteBuffer? {
            while !isOver {
                guard let chunk = try await read() else {
                    isOver = true
                    guard count == body.size, ContentDigest(hasher.finalize()) == body.md5 else {
                        throw ObjectStoreError.digestMismatch
                    }
                    body.reportSent(count)
                    return held
                }
                guard chunk.readableBytes > 0 else { continue }
                let ready = held
                if ready != nil { body.reportSent(count) }
                hasher.update(chunk)
                count += Int64(chunk.readableBytes)
                guard count <= body.size else { throw ObjectStoreError.digestMismatch }
                held = chunk
                if let ready { return ready }
            }
            return nil
        }

        private mutating func read() async throws -> ByteBuffer? {
            do {
                return try await chunks.next(isolation: nil)
            } catch {
                body.reportFailure(SourceError(error))
                throw error
            }
        }
    }
}
