import HTTPTypes
import NIOCore
import ObjectStorage
import Synchronization
import Transport

/// Sends bytes to an address of S3 that somebody else has signed for exactly these bytes. Without a second try: the
/// address may have ended meanwhile, and the bytes come once.
package struct PresignedUpload: Sendable {
    private let transport: any HTTPTransport

    package init(transport: any HTTPTransport) { self.transport = transport }

    /// - Parameters:
    ///   - url: where to.
    ///   - headers: those that are signed.
    ///   - timeout: how long all of it may take.
    package func send(
        _ body: ObjectBody, to url: String, headers: [String: String], timeout: Duration
    ) async throws(ObjectStoreError) -> ETag {
        var fields = HTTPFields()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { throw .bodyFailed("no header can be called \(name)") }
            // The transport tells the length of the bytes that it sends.
            if name != .contentLength { fields[name] = value }
        }
        let watched = WatchedBody(body)
        let response: TransportResponse
        do {
            response = try await transport.send(
                TransportRequest(
                    method: .put, url: url, headers: fields, body: .stream(length: body.size, watched),
                    timeout: timeout))
        } catch {
            if let failure = watched.failure { throw failure }
            switch error {
            case .notSent(let words): throw .unavailable(words)
            case .connectionLost(let words): throw .outcomeUnknown(words)
            case .noAnswer(let time): throw .outcomeUnknown("no answer for \(time)")
            case .tooLarge: throw .outcomeUnknown("an answer too large")
            }
        }
        guard response.status < 300 else { throw await S3Failure.read(response).error(isRepeatable: true) }
        return try S3Headers.etag(response.headers)
    }
}

/// A body that remembers why it broke off: of an exchange that failed only that is told.
private struct WatchedBody: AsyncSequence, Sendable {
    fileprivate final class Broken: Sendable {
        let failure = Mutex<ObjectStoreError?>(nil)
    }

    private let body: ObjectBody
    private let broken = Broken()

    init(_ body: ObjectBody) { self.body = body }

    var failure: ObjectStoreError? { broken.failure.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), broken: broken) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: ObjectBody.AsyncIterator
        fileprivate let broken: Broken

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
