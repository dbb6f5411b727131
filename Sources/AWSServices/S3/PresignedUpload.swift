import HTTPTypes
import NIOCore
import ObjectStorage
import Synchronization
import Transport

/// Uploads bytes to a presigned S3 URL for exactly these bytes. Makes no retries: the URL may have expired, and the
/// body can be read only once.
package struct PresignedUpload: Sendable {
    private let transport: any HTTPTransport

    package init(transport: any HTTPTransport) { self.transport = transport }

    /// - Parameters:
    ///   - url: The presigned URL.
    ///   - headers: The signed headers.
    ///   - timeout: The limit for the whole upload.
    package func send(
        _ body: ObjectBody, to url: String, headers: [String: String], timeout: Duration
    ) async throws(ObjectStoreError) -> ETag {
        var fields = HTTPFields()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { throw .bodyFailed("invalid header name \(name)") }
            // The transport sets the length of the body.
            if name != .contentLength { fields[name] = value }
        }
        let watched = FailureRecordingBody(body)
        let response: TransportResponse
        do {
            response = try await transport.send(
                TransportRequest(
                    method: .put, url: url, headers: fields, body: .stream(length: body.size, watched),
                    timeout: timeout))
        } catch {
            if let failure = watched.failure { throw failure }
            switch error {
            case .notSent(let message), .serverNotTrusted(let message): throw .unavailable(message)
            case .connectionLost(let message): throw .outcomeUnknown(message)
            case .noResponse(let time): throw .outcomeUnknown("no response for \(time)")
            case .tooLarge: throw .outcomeUnknown("response too large")
            }
        }
        guard response.status < 300 else { throw await S3Failure.read(response).error(isRepeatable: true) }
        return try S3Headers.etag(response.headers)
    }
}

/// A body that records its own error, because the transport reports only that the exchange failed.
private struct FailureRecordingBody: AsyncSequence, Sendable {
    fileprivate final class FailureBox: Sendable {
        let failure = Mutex<ObjectStoreError?>(nil)
    }

    private let body: ObjectBody
    private let broken = FailureBox()

    init(_ body: ObjectBody) { self.body = body }

    var failure: ObjectStoreError? { broken.failure.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), broken: broken) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: ObjectBody.AsyncIterator
        fileprivate let broken: FailureBox

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await chunks.next()
            } catch {
                broken.failure.withLock { $0 = error as? ObjectStoreError ?? .bodyFailed("\(error)") }
                throw error
            }
        }
    }
}
