import HTTPTypes
import NIOCore
import Transport
import X509

/// Asks OCSP responders (RFC 6960 appendix A.1) whether certificates were revoked. Their addresses stand in
/// certificates that lead to a configured root.
struct RevocationRequests: OCSPRequester {
    /// Larger than any answer about one certificate, in bytes.
    private static let maximumSize = 64 << 10
    /// How long one request may take.
    private static let timeout = Duration.seconds(4)

    let transport: any HTTPTransport

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        let headers: HTTPFields = [.contentType: "application/ocsp-request", .accept: "application/ocsp-response"]
        let request = TransportRequest(
            method: .post, url: uri, headers: headers, body: .bytes(ByteBuffer(bytes: request)), timeout: Self.timeout)
        guard let response = try? await transport.send(request), response.status == 200,
            let body = try? await response.collect(limit: Self.maximumSize)
        else {
            // Bytes that say nothing: neither good nor revoked, as the policy's own errors would be.
            return .response([])
        }
        return .response(Array(body.readableBytesView))
    }
}
