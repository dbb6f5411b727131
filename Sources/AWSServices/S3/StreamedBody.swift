import NIOCore
import ObjectStorage
import Synchronization

/// A body that remembers whether it was begun and why it broke off, for a transport reports both as a lost connection.
final class StreamedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    private struct State {
        var wasTaken = false
        var failure: ObjectStoreError?
    }

    let body: ObjectBody
    private let state = Mutex(State())

    init(_ body: ObjectBody) { self.body = body }

    /// Whether any of it may have been sent.
    var wasTaken: Bool { state.withLock { $0.wasTaken } }

    /// The body's own failure.
    var failure: ObjectStoreError? { state.withLock { $0.failure } }

    func makeAsyncIterator() -> Iterator {
        state.withLock { $0.wasTaken = true }
        return Iterator(source: self, chunks: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: StreamedBody
        fileprivate var chunks: ObjectBody.AsyncIterator
        fileprivate var sent: Int64 = 0

        fileprivate init(source: StreamedBody, chunks: ObjectBody.AsyncIterator) {
            self.source = source
            self.chunks = chunks
        }

        mutating func next() async throws -> ByteBuffer? {
            do {
                guard let chunk = try await chunks.next() else {
                    guard sent == source.body.size else { throw ObjectStoreError.bodyFailed("ended early") }
                    return nil
                }
                sent += Int64(chunk.readableBytes)
                guard sent <= source.body.size else { throw ObjectStoreError.bodyFailed("longer than declared") }
                return chunk
            } catch {
                let failure = error as? ObjectStoreError ?? .bodyFailed("\(error)")
                source.state.withLock { $0.failure = failure }
                throw failure
            }
        }
    }
}
