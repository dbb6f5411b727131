import Foundation
import PhotolalaAPI

/// An authorization request of a browser to a provider. It travels sealed in the request's `state`.
package struct ProviderAuthorizationRequest: Codable, Sendable, Equatable {
    package let provider: ProviderName
    package let purpose: ChallengePurpose
    /// The nonce for the ID token; valid once, for this purpose and browser.
    package let challenge: String
    /// The PKCE verifier.
    package let verifier: String
    /// The account whose session performs the action; `nil` without a session.
    package let user: UserID?
    /// The page of this site to which the browser returns.
    package let returnTo: String
    package let expiresAt: Date
    /// The app that receives the verified identity; `nil` if the browser's own session does.
    package let app: AppAuthenticationRequest?

    package init(
        provider: ProviderName, purpose: ChallengePurpose, challenge: Challenge, verifier: String, user: UserID?,
        returnTo: String, app: AppAuthenticationRequest? = nil
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

/// A provider's response as received from the browser, not verified yet (RFC 6749 sections 4.1.2 and 4.1.2.1).
package struct ProviderAuthorizationResponse: Codable, Sendable, Equatable {
    package let state: String
    package let code: String?
    package let error: String?
    /// The issuer (RFC 9207).
    package let issuer: String?
    /// The user's name; Apple sends it only once.
    package let name: String?

    package init(state: String, code: String?, error: String?, issuer: String?, name: String?) {
        self.state = state
        self.code = code
        self.error = error
        self.issuer = issuer
        self.name = name
    }
}
