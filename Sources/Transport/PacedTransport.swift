import NIOCore

/// Sends requests through another transport, not faster than a limit. It wraps a transport that detects stalls: the time
/// for which bytes are held back is that of their source.
package struct PacedTransport: HTTPTransport {
    /// Bodies are sent in pieces of this many bytes, so that the rate is even.
    private static let pieceLength = 32 << 10

    private let base: any HTTPTransport
    private let limit: BandwidthLimit

    package init(_ base: any HTTPTransport, limit: BandwidthLimit) { (self.base, self.limit) = (base, limit) }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var paced = request
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            guard bytes.readableBytes > Self.pieceLength else { break }
            paced.body = .stream(length: Int64(bytes.readableBytes), body(OnePiece(bytes: bytes), .sent))
        case .stream(let length, let chunks): paced.body = .stream(length: length, body(chunks, .sent))
        }
        let response = try await base.send(paced)
        return TransportResponse(
            status: response.status, headers: response.headers, body: body(response.body, .received))
    }

    private func body(
        _ chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable, _ direction: BandwidthLimit.Direction
    ) -> PacedBody {
        PacedBody(chunks: chunks, limit: limit, direction: direction, pieceLength: Self.pieceLength)
    }
}

/// A body whose bytes are held back until the limit permits them.
private struct PacedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let chunks: any AsyncSequence<ByteBuffer, any Error> & Sendable
    let limit: BandwidthLimit
    let direction: BandwidthLimit.Direction
    let pieceLength: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: any AsyncIteratorProtocol<ByteBuffer, any Error>
        let limit: BandwidthLimit
        let direction: BandwidthLimit.Direction
        let pieceLength: Int
        /// What is left of the last chunk.
        var rest = ByteBuffer()

        mutating func next() async throws -> ByteBuffer? {
            if rest.readableBytes == 0 {
                guard let chunk = try await chunks.next(isolation: nil) else { return nil }
                rest = chunk
            }
            let piece = rest.readSlice(length: Swift.min(pieceLength, rest.readableBytes)) ?? ByteBuffer()
            try await limit.pace(piece.readableBytes, direction)
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            chunks: chunks.makeAsyncIterator(), limit: limit, direction: direction, pieceLength: pieceLength)
    }
}

/// Bytes in memory as a stream.
private struct OnePiece: AsyncSequence, Sendable {
    typealias Failure = any Error

    let bytes: ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: ByteBuffer?

        mutating func next() async throws -> ByteBuffer? {
            defer { bytes = nil }
            return bytes
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes) }
}
