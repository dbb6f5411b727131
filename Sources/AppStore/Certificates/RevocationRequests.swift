import HTTPTypes
import NIOCore
import Synchronization
import Transport
import X509

/// Asks OCSP responders (RFC 6960 appendix A.1) whether certificates were revoked. Their addresses stand in
/// certificates that lead to a configured root.
struct RevocationRequests: Sendable {
    /// Larger than any answer about one certificate, in bytes.
    private static let maximumSize = 64 << 10
    /// How long one request may take.
    private static let timeout = Duration.seconds(4)

    let transport: any HTTPTransport

    /// The requests of one check.
    func begin() -> Asked { Asked(transport: transport) }

    /// Asks for one check, and notes when nobody answered: an unanswered question is neither a yes nor a no.
    final class Asked: OCSPRequester {
        private let transport: any HTTPTransport
        private let failed = Mutex<String?>(nil)

        init(transport: any HTTPTransport) { self.transport = transport }

        var failure: String? { failed.withLock { $0 } }

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            do {
                let response = try await transport.send(
                    TransportRequest(
                        method: .post, url: uri,
                        headers: [
                            .contentType: "application/ocsp-request", .accept: "application/ocsp-response",
                        ],
                        body: .bytes(ByteBuffer(bytes: request)), timeout: RevocationRequests.timeout
                    ))
                guard response.status == 200 else { throw Unanswered(status: response.status) }
                let body = try await response.collect(limit: RevocationRequests.maximumSize)
                return .response(Array(body.readableBytesView))
            } catch {
                failed.withLock { $0 = "\(uri): \(error)" }
                return .terminalError(error)
            }
        }
    }

    private struct Unanswered: Error {
        let status: Int
    }
}
