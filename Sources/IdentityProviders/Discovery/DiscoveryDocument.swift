import Foundation
import JWS

/// What an issuer says of itself (OpenID Connect Discovery 1.0 section 3), as far as it is used: where its keys are.
/// Which algorithms count is fixed by settings and never taken from here.
struct DiscoveryDocument: Sendable {
    /// Largest document read.
    static let maximumSize = 256 * 1024

    let keySetURL: String

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
        guard keySetURL.hasPrefix("https://") || (keySetURL.hasPrefix("http://") && issuer.hasPrefix("http://")) else {
            throw .plainKeySet
        }
        self.keySetURL = keySetURL
    }
}
