import Accounts
import PhotolalaAPI

/// Checks Facebook's tokens of both kinds: those of Limited Login, which are OpenID Connect's, and classic access tokens.
/// A person has one id at an app in both.
struct FacebookTokenVerifier: IdentityTokenVerifier {
    let limited: OpenIDTokenVerifier
    let classic: ClassicTokenCheck

    var provider: ProviderName { limited.provider }

    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        // A token of OpenID Connect has three parts, with dots between them.
        guard token.utf8.contains(UInt8(ascii: ".")) else { return try await classic.verify(token) }
        return try await limited.verify(token)
    }
}
