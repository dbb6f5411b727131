import PhotolalaAPI

/// Checks a provider's identity token. One verifier serves one provider.
package protocol IdentityTokenVerifier: Sendable {
    /// The provider whose tokens this verifier checks.
    var provider: ProviderName { get }

    /// Checks signature, issuer, audience, times and form (OpenID Connect Core section 3.1.3.7). The nonce is handed
    /// on: only the caller knows which challenge it must match.
    /// - Throws: `IdentityTokenError`; `providerUnavailable` when the provider's keys could not be had.
    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity
}

/// Why a token proves nothing. The reason is for the log; a caller learns only that the token is not valid.
package enum IdentityTokenError: Error, Equatable, Sendable {
    /// Not a token at all: size, segments, encoding, JSON or a claim of the wrong type.
    case malformed(String)
    /// The algorithm or a header parameter is not one this provider uses.
    case algorithmRefused
    /// No key of the provider's has this id.
    case unknownKey
    case badSignature
    case wrongIssuer
    case wrongAudience
    case expired
    /// Not valid yet, issued in the future, or issued too long ago.
    case notCurrent
    /// The subject is missing, empty or longer than 255 bytes.
    case badSubject
    /// A rule of this provider or deployment is not met, named for the log.
    case ruleNotMet(String)
    /// The provider's keys could not be fetched and none are kept.
    case providerUnavailable
}
