import Crypto
import ForeignExports
import NIOCore
import Transport

/// The bytes of a file as the server sends them, piece by piece. At the end, the length and Immich's checksum are
/// verified.
struct OriginalBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let server: ImmichServer
    let asset: ImmichAsset
    let isRetried: Bool

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: OriginalBody
        private var pieces: (any AsyncIteratorProtocol<ByteBuffer, any Error>)?
        private var hasher = Insecure.SHA1()
        private var count: Int64 = 0
        private var isOver = false

        fileprivate init(body: OriginalBody) { self.body = body }

        /// - Throws: `ImmichError`
        mutating func next() async throws -> ByteBuffer? {
            guard !isOver else { return nil }
            var current: any AsyncIteratorProtocol<ByteBuffer, any Error>
            if let pieces {
                current = pieces
            } else {
                current = try await body.server.send(.original(body.asset.id), isRetried: body.isRetried)
                    .body.makeAsyncIterator()
            }
            let piece: ByteBuffer?
            do {
                piece = try await current.next(isolation: nil)
            } catch let error as TransportError {
                throw body.server.failure(error, .original(body.asset.id))
            } catch {
                throw Task.isCancelled ? ImmichError.cancelled : ImmichError.noAnswer
            }
            pieces = current
            guard let piece else {
                isOver = true
                // A body that ends with its task is not whole.
                if Task.isCancelled { throw ImmichError.cancelled }
                let isWhole = body.asset.sha1.map { hasher.finalize().elementsEqual($0) }
                guard isWhole ?? body.asset.size.map({ $0 == count }) ?? true else { throw ImmichError.damaged }
                return nil
            }
            piece.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            count += Int64(piece.readableBytes)
            // Without this limit a body could be endless.
            guard count <= body.asset.size ?? ImmichResponse.Item.largestFile else { throw ImmichError.damaged }
            return piece
        }
    }
}
