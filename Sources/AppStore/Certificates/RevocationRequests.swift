import HTTPTypes
import NIOCore
import Transport
import X509

/// Asks OCSP responders (RFC 6960 appendix A.1) whether certificates were revoked. Their URLs come from certificates
/// that lead to a configured root.
struct RevocationRequests: OCSPRequester {
    /// An upper bound for the response about one certificate, in bytes.
    private static let maximumSize = 64 << 10
    /// The timeout of one request.
    private static let timeout = Duration.seconds(4)

    let transport: any HTTPTransport

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        let headers: HTTPFields = [.contentType: "application/ocsp-request", .accept: "application/ocsp-response"]
        let request = TransportRequest(
            method: .post, url: uri, headers: headers, body: .bytes(ByteBuffer(bytes: request)), timeout: Self.timeout)
        guard let response = try? await transport.send(request), response.status == 200,
            let body = try? await response.collect(limit: Self.maximumSize)
        else {
            // An empty response is neither good nor revoked, like the policy's own errors.
            return .response([])
        }
        return .response(Array(body.readableBytesView))
    }
}
