import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// Sealed browser state: authorization requests, provider responses that are posted without the browser's cookies, and
/// form tokens. All of it is sealed or authenticated, so that the server stores nothing.
package struct BrowserProofs: Sendable {
    /// How long a parked response is valid, in seconds; the browser follows a redirect at once.
    static let answerLifetime: TimeInterval = 120
    /// The largest `state`, in bytes: it is returned in a URL, possibly beside the provider's code.
    package static let longestState = 4096
    /// The largest sealed text that is opened, in bytes.
    private static let longest = 8192

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    /// Returns a new PKCE verifier of 43 characters (RFC 7636 section 4.1).
    package func verifier() -> String { Base64URL.encode(randomness.bytes(32)) }

    /// Returns the `state` of an authorization request. Only the browser that began the request can use it.
    /// - Returns: `nil` if it would exceed `longestState`.
    package func state(of round: ProviderRound, for browser: String) throws(ProofError) -> String? {
        let state = try seal(round, for: .providerRound, context: browser)
        return state.utf8.count <= Self.longestState ? state : nil
    }

    /// Opens the authorization request of a response. Its challenge ensures that it is answered only once.
    /// - Throws: `notAuthentic` if another browser began it, `expired`.
    package func round(_ state: String, of browser: String) throws(ProofError) -> ProviderRound {
        let round: ProviderRound = try open(state, for: .providerRound, context: browser)
        guard round.expiresAt > now() else { throw .expired }
        return round
    }

    /// Seals a provider's posted response for the following request, which carries the browser's cookies.
    package func park(_ answer: ProviderAnswer) throws(ProofError) -> String {
        let parked = Parked(answer: answer, expiresAt: now().addingTimeInterval(Self.answerLifetime))
        return try seal(parked, for: .providerAnswer, context: "")
    }

    /// Opens a parked response.
    package func answer(_ parked: String) throws(ProofError) -> ProviderAnswer {
        let parked: Parked = try open(parked, for: .providerAnswer, context: "")
        guard parked.expiresAt > now() else { throw .expired }
        return parked.answer
    }

    /// Returns a token that shows that a form, or a link that starts an action, comes from a page served to this
    /// browser.
    /// - Parameter holder: identifies the browser and its session.
    package func formToken(for holder: String) throws(ProofError) -> String {
        let keyID = keyRing.currentKeyID
        do {
            let code = try keyRing.authenticationCode(of: Data(holder.utf8), for: .formToken, keyID: keyID)
            return "\(keyID).\(Base64URL.encode(code.prefix(16)))"
        } catch { throw .secrets(error) }
    }

    package func isFormToken(_ token: String, for holder: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= 100, parts.count == 2, let code = Base64URL.decode(parts[1]),
            let expected = try? keyRing.authenticationCode(
                of: Data(holder.utf8), for: .formToken, keyID: String(parts[0]))
        else { return false }
        return ConstantTime.isEqual(expected.prefix(16), code)
    }

    private struct Parked: Codable {
        let answer: ProviderAnswer
        let expiresAt: Date
    }

    private func seal(
        _ value: some Encodable, for purpose: SecretPurpose, context: String
    ) throws(ProofError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let bytes = try? encoder.encode(value) else { throw .secrets(.sealFailed) }
        do {
            return try keyRing.seal(bytes, for: purpose, context: context, randomness: randomness)
        } catch { throw .secrets(error) }
    }

    private func open<Value: Decodable>(
        _ sealed: String, for purpose: SecretPurpose, context: String
    ) throws(ProofError) -> Value {
        guard sealed.utf8.count <= Self.longest,
            let bytes = try? keyRing.open(sealed, for: purpose, context: context),
            let value = try? JSONDecoder().decode(Value.self, from: bytes)
        else { throw .notAuthentic }
        return value
    }
}
