import HTTPTypes
import PhotolalaAPI
import Secrets
import Transport

/// The server's calls in pairing mode. Its development providers are called like others, by HTTP: these calls reach the
/// server itself, with the secret and for its own key.
struct PairingTransport: ClosableTransport {
    private let paired: AsyncHTTPTransport
    private let other: AsyncHTTPTransport
    private let prefix: String
    private let secret: String
    private let header: HTTPField.Name

    /// - Parameter server: The server's URL, without a trailing slash.
    init?(_ code: PairingCode, server: String) {
        guard let hash = Base64URL.decode(code.keyHash), let header = HTTPField.Name(PairingCode.headerName) else {
            return nil
        }
        (self.header, secret, prefix) = (header, code.secret, server + "/")
        paired = AsyncHTTPTransport(pins: PublicKeyPins(selfSigned: Array(hash)))
        other = AsyncHTTPTransport()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.hasPrefix(prefix) else { return try await other.send(request) }
        var request = request
        request.headers[header] = secret
        return try await paired.send(request)
    }

    func shutdown() async throws(TransportError) {
        try await paired.shutdown()
        try await other.shutdown()
    }
}
