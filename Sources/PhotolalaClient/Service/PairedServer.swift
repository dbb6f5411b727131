import Foundation
import HTTPTypes
import PhotolalaAPI
import Secrets
import Transport

/// A server in pairing mode: `photolala-server serve --environment dev --pair`, for tests with a phone in the same local
/// network.
///
/// The server prints the code as a QR code. It has the server's address, the hash of its key, which replaces a valid
/// certificate, and a secret without which the server answers no request. The code is valid until the server ends.
///
/// ```swift
/// let paired = try PairedServer(scannedText)
/// let network = PhotolalaNetwork(paired: paired)
/// let session = PhotolalaSession(
///     server: paired.address, profile: profile, storage: storage, network: network)
/// try await session.signIn(with: DevelopmentSignIn(session: session, user: "bob"))
/// ```
public struct PairedServer: Sendable {
    /// The server's address.
    public let address: ServerAddress
    let keyHash: [UInt8]
    let secret: String

    /// Parses the text of the QR code.
    /// - Throws: `unusablePairingCode`.
    public init(_ text: String) throws(PhotolalaError) {
        guard let code = PairingCode(text), let hash = Base64URL.decode(code.keyHash),
            let address = try? ServerAddress("https://\(code.authority)")
        else {
            throw PhotolalaError(
                code: .unusablePairingCode,
                detail: "This is not a pairing code. Scan the code that photolala-server serve --pair prints.")
        }
        (self.address, keyHash, secret) = (address, Array(hash), code.secret)
    }

    /// Returns whether the text is meant to be a pairing code.
    package static func isCode(_ text: String) -> Bool { text.hasPrefix("photolala-pair:") }
}

extension PhotolalaNetwork {
    /// Creates the network for a server in pairing mode. It connects only to servers with the key of the code: the account
    /// API and the photo store.
    /// - Parameters:
    ///   - paired: The server.
    ///   - stallTimeout: As in ``init(stallTimeout:pins:bandwidth:)``.
    ///   - bandwidth: The maximum rate; `nil` for none.
    public init(
        paired: PairedServer, stallTimeout: Duration = .seconds(60), bandwidth: BandwidthSchedule? = nil
    ) {
        let client = AsyncHTTPTransport(
            connectionsPerHost: Self.connections, idleTimeout: max(stallTimeout, Self.shortestIdleTimeout),
            pins: PublicKeyPins(selfSigned: paired.keyHash))
        self.init(
            transport: StallDetectingTransport(client, limit: stallTimeout),
            serverTransport: StallDetectingTransport(
                PairedTransport(transport: client, secret: paired.secret), limit: stallTimeout),
            bandwidth: bandwidth, clients: [client])
    }
}

/// Adds the pairing's secret to the requests to the account API.
struct PairedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let secret: String

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        if let name = HTTPField.Name(PairingCode.headerName) { request.headers[name] = secret }
        return try await transport.send(request)
    }
}
