import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// Sealed browser state: authorization requests, provider responses that are posted without the browser's cookies, and
/// form tokens. All of it is sealed or authenticated, so that the server stores nothing.
package struct SealedBrowserStates: Sendable {
    /// How long a sealed response is valid, in seconds; the browser follows a redirect at once.
    static let responseLifetime: TimeInterval = 120
    /// The largest `state`, in bytes: it is returned in a URL, possibly beside the provider's code.
    package static let maximumStateLength = 4096
    /// The largest sealed text that is opened, in bytes.
    private static let maximumLength = 8192

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    /// Returns a new PKCE verifier of 43 characters (RFC 7636 section 4.1).
    package func makeVerifier() -> String { Base64URL.encode(randomness.bytes(32)) }

    /// Returns the `state` of an authorization request. Only the browser that began the request can use it.
    /// - Returns: `nil` if it would exceed `maximumStateLength`.
    package func state(of request: ProviderAuthorizationRequest, for browser: String) throws(SealedStateError)
        -> String?
    {
        let state = try seal(request, for: .providerAuthorizationRequest, context: browser)
        return state.utf8.count <= Self.maximumStateLength ? state : nil
    }

    /// Opens the authorization request of a response. Its challenge ensures that it is completed only once.
    /// - Throws: `notAuthentic` if another browser began it, `expired`.
    package func openAuthorizationRequest(_ state: String, of browser: String) throws(SealedStateError)
        -> ProviderAuthorizationRequest
    {
        let request: ProviderAuthorizationRequest = try open(
            state, for: .providerAuthorizationRequest, context: browser)
        guard request.expiresAt > now() else { throw .expired }
        return request
    }

    /// Seals a provider's posted response for the following request, which carries the browser's cookies.
    package func sealResponse(_ response: ProviderAuthorizationResponse) throws(SealedStateError) -> String {
        let contents = SealedResponse(answer: response, expiresAt: now().addingTimeInterval(Self.responseLifetime))
        return try seal(contents, for: .providerAuthorizationResponse, context: "")
    }

    /// Opens a sealed response.
    package func openResponse(_ sealed: String) throws(SealedStateError) -> ProviderAuthorizationResponse {
        let contents: SealedResponse = try open(sealed, for: .providerAuthorizationResponse, context: "")
        guard contents.expiresAt > now() else { throw .expired }
        return contents.answer
    }

    /// Returns a token that shows that a form, or a link that starts an action, comes from a page served to this
    /// browser.
    /// - Parameter subject: identifies the browser and its session.
    package func makeFormToken(for subject: String) throws(SealedStateError) -> String {
        let keyID = keyRing.currentKeyID
        do {
            let code = try keyRing.authenticationCode(of: Data(subject.utf8), for: .formToken, keyID: keyID)
            return "\(keyID).\(Base64URL.encode(code.prefix(16)))"
        } catch { throw .secrets(error) }
    }

    package func isValidFormToken(_ token: String, for subject: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= 100, parts.count == 2, let code = Base64URL.decode(parts[1]),
            let expected = try? keyRing.authenticationCode(
                of: Data(subject.utf8), for: .formToken, keyID: String(parts[0]))
        else { return false }
        return ConstantTime.isEqual(expected.prefix(16), code)
    }

    private struct SealedResponse: Codable {
        let answer: ProviderAuthorizationResponse
        let expiresAt: Date
    }

    private func seal(
        _ value: some Encodable, for purpose: SecretPurpose, context: String
    ) throws(SealedStateError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let bytes = try? encoder.encode(value) else { throw .secrets(.sealFailed) }
        do {
            return try keyRing.seal(bytes, for: purpose, context: context, randomness: randomness)
        } catch { throw .secrets(error) }
    }

    private func open<Value: Decodable>(
        _ sealed: String, for purpose: SecretPurpose, context: String
    ) throws(SealedStateError) -> Value {
        guard sealed.utf8.count <= Self.maximumLength,
            let bytes = try? keyRing.open(sealed, for: purpose, context: context),
            let value = try? JSONDecoder().decode(Value.self, from: bytes)
        else { throw .notAuthentic }
        return value
    }
}
