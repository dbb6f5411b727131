import Foundation
import JWS
import NIOCore
import Transport

/// What an issuer says of itself (OpenID Connect Discovery 1.0 section 3), as far as it is used: where its keys
/// are, and where people sign in. Which algorithms count is fixed by settings and never taken from here.
struct DiscoveryDocument: Sendable {
    /// Largest document read.
    static let maximumSize = 256 * 1024

    let keySetURL: String
    /// `nil` where it names none, or a less safe one than its own.
    let authorizationURL: String?
    let tokenURL: String?
    /// Whether a client's secret may be a field of the form (`client_secret_post`); where nothing is said it may not.
    let takesSecretField: Bool

    static func fetch(of issuer: String, _ transport: any HTTPTransport) async throws(KeySetError) -> DiscoveryDocument
    {
        let document = try await ProviderDocument.get(url(of: issuer), limit: maximumSize, transport)
        return try DiscoveryDocument(document.body.readableBytesView, of: issuer)
    }

    /// Where an issuer's document is: a trailing slash of the issuer is left out (section 4.1).
    static func url(of issuer: String) -> String {
        "\(issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)/.well-known/openid-configuration"
    }

    /// - Throws: `KeySetError` when it is none, names another issuer than the one that was asked, byte for byte
    ///   (section 4.3), or names keys by an address that is less safe than its own.
    init(_ bytes: some Sequence<UInt8>, of issuer: String) throws(KeySetError) {
        guard let members = (try? JSONReader.read(bytes))?.object else { throw .notADiscoveryDocument }
        guard let named = members["issuer"]?.string, let keySetURL = members["jwks_uri"]?.string else {
            throw .notADiscoveryDocument
        }
        guard named.utf8.elementsEqual(issuer.utf8) else { throw .otherIssuer }
        let isSafe = { (url: String) in
            url.hasPrefix("https://") || (url.hasPrefix("http://") && issuer.hasPrefix("http://"))
        }
        guard isSafe(keySetURL) else { throw .plainKeySet }
        self.keySetURL = keySetURL
        authorizationURL = members["authorization_endpoint"]?.string.flatMap { isSafe($0) ? $0 : nil }
        takesSecretField =
            members["token_endpoint_auth_methods_supported"]?.array?.contains(.string("client_secret_post")) ?? false
        tokenURL = members["token_endpoint"]?.string.flatMap { isSafe($0) ? $0 : nil }
    }
}
