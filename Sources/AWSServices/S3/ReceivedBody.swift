import NIOCore
import ObjectStorage

/// The bytes of an object as received from the network. Connection failures are converted to store errors.
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
    /// Collects a small body in memory.
    func collect() async throws(ObjectStoreError) -> ByteBuffer {
        var collected: ByteBuffer?
        do {
            for try await var chunk in self {
                // A single chunk, the usual case, is not copied.
                if collected == nil { collected = chunk } else { collected?.writeBuffer(&chunk) }
                guard Int64(collected?.readableBytes ?? 0) <= size else { break }
            }
        } catch {
            throw error as? ObjectStoreError ?? .bodyFailed("\(error)")
        }
        let bytes = collected ?? ByteBuffer()
        guard Int64(bytes.readableBytes) == size else { throw .bodyFailed("body length mismatch") }
        return bytes
    }
}
