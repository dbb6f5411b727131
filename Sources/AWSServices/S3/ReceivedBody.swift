import NIOCore
import ObjectStorage

/// The bytes of an object as they come from the network; a connection that breaks is told in the store's words.
struct ReceivedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    private let chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable

    init(_ chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable) { self.chunks = chunks }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await chunks.next(isolation: nil)
            } catch {
                throw ObjectStoreError.unavailable("\(error)")
            }
        }
    }
}

extension ObjectBody {
    /// All of a body that is small enough to be held.
    func collect() async throws(ObjectStoreError) -> ByteBuffer {
        var collected: ByteBuffer?
        do {
            for try await var chunk in self {
                // One chunk, the usual case, is not copied.
                if collected == nil { collected = chunk } else { collected?.writeBuffer(&chunk) }
                guard Int64(collected?.readableBytes ?? 0) <= size else { break }
            }
        } catch {
            throw error as? ObjectStoreError ?? .bodyFailed("\(error)")
        }
        let bytes = collected ?? ByteBuffer()
        guard Int64(bytes.readableBytes) == size else { throw .bodyFailed("another length than declared") }
        return bytes
    }
}
