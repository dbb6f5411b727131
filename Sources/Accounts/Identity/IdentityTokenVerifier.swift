import PhotolalaAPI

/// Verifies ID tokens of one provider.
package protocol IdentityTokenVerifier: Sendable {
    /// The provider whose tokens this verifier checks.
    var provider: ProviderName { get }

    /// Verifies signature, issuer, audience, times and form (OpenID Connect Core section 3.1.3.7). The nonce is
    /// returned unchecked: only the caller knows which challenge it must match.
    /// - Throws: `IdentityTokenError`; `providerUnavailable` if the provider's keys could not be fetched.
    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity
}

/// Why an ID token was rejected. The reason is for the log; a caller learns only that the token is invalid.
package enum IdentityTokenError: Error, Equatable, Sendable {
    /// Not a token: wrong size, segments, encoding, JSON or claim type.
    case malformed(String)
    /// The algorithm or a header parameter is not one that this provider uses.
    case algorithmRefused
    /// The provider has no key with this id.
    case unknownKey
    case badSignature
    case wrongIssuer
    case wrongAudience
    case expired
    /// Not valid yet, issued in the future, or issued too long ago.
    case notCurrent
    /// The subject is missing, empty or longer than 255 bytes.
    case badSubject
    /// A rule of this provider or deployment, named for the log, is not met.
    case ruleNotMet(String)
    /// The provider's keys could not be fetched and none are cached.
    case providerUnavailable
}
