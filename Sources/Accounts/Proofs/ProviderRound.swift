import Foundation
import PhotolalaAPI

/// One trip of a browser to a provider and back. It travels sealed in the request's `state`.
package struct ProviderRound: Codable, Sendable, Equatable {
    package let provider: ProviderName
    package let purpose: ChallengePurpose
    /// The nonce of the identity token; good once, for this purpose and browser.
    package let challenge: String
    /// Of PKCE.
    package let verifier: String
    /// Whose session it is to act in, where it acts in one.
    package let user: UserID?
    /// The page here that the browser goes on to.
    package let returnTo: String
    package let expiresAt: Date
    /// The app that gets the proof; `nil` where the browser's own session does.
    package let app: AppProof?

    package init(
        provider: ProviderName, purpose: ChallengePurpose, challenge: Challenge, verifier: String, user: UserID?,
        returnTo: String, app: AppProof? = nil
    ) {
        self.provider = provider
        self.purpose = purpose
        self.challenge = challenge.challenge
        self.verifier = verifier
        self.user = user
        self.returnTo = returnTo
        expiresAt = challenge.expiresAt
        self.app = app
    }
}

/// What a provider answered, in the browser's hands and checked by nobody yet (RFC 6749 sections 4.1.2 and 4.1.2.1).
package struct ProviderAnswer: Codable, Sendable, Equatable {
    package let state: String
    package let code: String?
    package let error: String?
    /// RFC 9207.
    package let issuer: String?
    /// What the person is called; Apple tells it once.
    package let name: String?

    package init(state: String, code: String?, error: String?, issuer: String?, name: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
        self.name = name
    }
}
