import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// What goes out to a browser and comes back with it, sealed or with an authentication code, so that nothing is kept for
/// it: rounds at a provider, answers of providers that are posted without the browser's cookies, and tokens of forms.
package struct BrowserProofs: Sendable {
    /// How long a parked answer is good, in seconds: the browser is already on its way.
    static let answerLifetime: TimeInterval = 120
    /// The longest `state`, in bytes: it comes back in an address, or in one beside the provider's code.
    package static let longestState = 4096
    /// The longest text that is opened, in bytes.
    private static let longest = 8192

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    /// A fresh PKCE verifier: 43 characters (RFC 7636 section 4.1).
    package func verifier() -> String { Base64URL.encode(randomness.bytes(32)) }

    /// The `state` for a round: opens in the browser alone that began it.
    /// - Returns: `nil` where it would be too long to come back.
    package func state(of round: ProviderRound, for browser: String) throws(ProofError) -> String? {
        let state = try seal(round, for: .providerRound, context: browser)
        return state.utf8.count <= Self.longestState ? state : nil
    }

    /// The round that an answer belongs to. That it is answered once only, its challenge sees to.
    /// - Throws: `notAuthentic` for another browser's, `expired`.
    package func round(_ state: String, of browser: String) throws(ProofError) -> ProviderRound {
        let round: ProviderRound = try open(state, for: .providerRound, context: browser)
        guard round.expiresAt > now() else { throw .expired }
        return round
    }

    /// Parks what a provider posted, for the request that follows with the browser's cookies.
    package func park(_ answer: ProviderAnswer) throws(ProofError) -> String {
        let parked = Parked(answer: answer, expiresAt: now().addingTimeInterval(Self.answerLifetime))
        return try seal(parked, for: .providerAnswer, context: "")
    }

    /// What was parked.
    package func answer(_ parked: String) throws(ProofError) -> ProviderAnswer {
        let parked: Parked = try open(parked, for: .providerAnswer, context: "")
        guard parked.expiresAt > now() else { throw .expired }
        return parked.answer
    }

    /// Shows that a form, or a link that begins something, came from a page that this browser got.
    /// - Parameter holder: the browser, and the session in it.
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
