import Foundation
import JSONCoding
import NIOCore
import Transport

/// The used members of an issuer's discovery document (OpenID Connect Discovery 1.0 section 3): the key set URL and the
/// sign-in endpoints. The accepted algorithms are fixed by the settings and never read from here.
struct DiscoveryDocument: Sendable {
    /// The largest accepted document, in bytes.
    static let maximumSize = 256 * 1024

    let keySetURL: String
    /// `nil` if the document names none, or names an http URL although the issuer uses https.
    let authorizationURL: String?
    let tokenURL: String?
    /// Whether the client secret may be a form field (`client_secret_post`); `false` if the document does not say so.
    let takesSecretField: Bool

    static func fetch(of issuer: String, _ transport: any HTTPTransport) async throws(KeySetError) -> DiscoveryDocument
    {
        let document = try await ProviderDocument.get(url(of: issuer), limit: maximumSize, transport)
        return try DiscoveryDocument(document.body.readableBytesView, of: issuer)
    }

    /// Returns the URL of an issuer's document. A trailing slash of the issuer is removed (section 4.1).
    static func url(of issuer: String) -> String {
        "\(issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)/.well-known/openid-configuration"
    }

    /// - Throws: `KeySetError` if the document is malformed, its issuer does not equal the requested one byte for byte
    ///   (section 4.3), or its key set URL is http although the issuer uses https.
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
