import NIOCore

/// A body in memory, and the error that ended it early.
struct CollectedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let bytes: ByteBuffer
    var error: TransportError?

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: ByteBuffer?
        let error: TransportError?

        mutating func next() async throws -> ByteBuffer? {
            if let bytes {
                self.bytes = nil
                return bytes
            }
            if let error { throw error }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.readableBytes > 0 ? bytes : nil, error: error)
    }
}
