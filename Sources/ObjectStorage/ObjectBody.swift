import NIOCore

/// The contents of one object as a stream of chunks that is read once and never held in memory as a whole.
package struct ObjectBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    /// The total number of bytes.
    package let size: Int64
    private let chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable

    /// Wraps a stream that yields exactly `size` bytes; consumers reject any other length.
    package init(size: Int64, chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable) {
        self.size = size
        self.chunks = chunks
    }

    /// Wraps bytes that are already in memory.
    package init(_ bytes: ByteBuffer) {
        self.init(
            size: Int64(bytes.readableBytes),
            chunks: AsyncThrowingStream { continuation in
                if bytes.readableBytes > 0 { continuation.yield(bytes) }
                continuation.finish()
            }
        )
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>

        package mutating func next() async throws -> ByteBuffer? {
            try await chunks.next(isolation: nil)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }
}
