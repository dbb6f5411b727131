import Accounts
import PhotolalaAPI

/// Verifies both kinds of Facebook tokens: OpenID Connect tokens of Limited Login and classic access tokens. A person
/// has the same id at an app in both.
struct FacebookTokenVerifier: IdentityTokenVerifier {
    let limited: OpenIDTokenVerifier
    let classic: ClassicTokenVerifier

    var provider: ProviderName { limited.provider }

    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        // An ID token has three parts separated by dots.
        guard token.utf8.contains(UInt8(ascii: ".")) else { return try await classic.verify(token) }
        return try await limited.verify(token)
    }
}
