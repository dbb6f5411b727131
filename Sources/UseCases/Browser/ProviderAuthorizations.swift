import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// Starts authorization requests at providers and reads the responses.
package struct ProviderAuthorizations: Sendable {
    /// The providers for signing in with a browser, in the order in which pages show them.
    package let all: [any ProviderAuthorization]
    let browserStates: SealedBrowserStates
    let identities: IdentityVerification
    let sensitiveActions: SensitiveActionPolicy

    /// Starts an authorization request at a provider. Stores nothing: the state travels sealed with the browser.
    /// - Parameters:
    ///   - caller: the caller, for actions in a session; linking requires recent authentication before it starts.
    ///   - path: the page of this server that the browser returns to.
    /// - Returns: the authorization URL at the provider.
    package func begin(
        at provider: ProviderName, for purpose: ChallengePurpose, in browser: Browser, caller: Caller?,
        returnTo path: String
    ) async throws(ServiceError) -> String {
        guard let authorization = authorization(at: provider) else { throw .unknownProvider(provider) }
        if purpose == .link, let caller { try sensitiveActions.requireRecentAuthentication(caller, for: .link) }
        let challenge = try identities.makeChallenge(
            ChallengeRequest(purpose: purpose, deviceID: browser.device.id), caller: caller)
        let authorizationRequest = ProviderAuthorizationRequest(
            provider: provider, purpose: purpose, challenge: challenge, verifier: browserStates.makeVerifier(),
            user: caller?.user, returnTo: path
        )
        return try await authorizationURL(for: authorizationRequest, at: authorization, in: browser)
    }

    /// Returns the authorization URL at the provider.
    func authorizationURL(
        for authorizationRequest: ProviderAuthorizationRequest, at authorization: any ProviderAuthorization,
        in browser: Browser
    ) async throws(ServiceError) -> String {
        let sealed: String?
        do { sealed = try browserStates.state(of: authorizationRequest, for: browser.secret) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
        guard let state = sealed else {
            throw .invalidRequest("The app's authorization request is too long.")
        }
        do {
            return try await authorization.location(
                for: AuthorizationRequest(
                    state: state, nonce: authorizationRequest.challenge,
                    codeChallenge: Base64URL.encode(Data(SHA256.hash(data: Data(authorizationRequest.verifier.utf8)))),
                    // A user who links another identity or authenticates again must be able to choose the provider
                    // account.
                    requiresReauthentication: authorizationRequest.purpose == .link
                        || authorizationRequest.purpose == .reauthenticate
                )
            )
        } catch { throw ServiceError(error, of: authorizationRequest.provider) }
    }

    /// Returns the adapter of a provider, or `nil` if browsers cannot sign in with it.
    package func authorization(at provider: ProviderName) -> (any ProviderAuthorization)? {
        all.first { $0.provider == provider }
    }

    /// Seals a provider's form post, which arrives without the browser's cookies, for the request that follows.
    package func sealResponse(_ response: ProviderAuthorizationResponse) throws(ServiceError) -> String {
        do { return try browserStates.sealResponse(response) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
    }

    /// Opens a sealed provider response.
    package func openResponse(_ sealed: String) throws(ServiceError) -> ProviderAuthorizationResponse {
        do { return try browserStates.openResponse(sealed) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
    }

    /// Returns the authorization request that a provider response belongs to.
    /// - Throws: `invalidChallenge` if another browser started it or it has expired.
    package func request(
        of response: ProviderAuthorizationResponse, at provider: ProviderName, in browser: Browser?
    ) throws(ServiceError) -> ProviderAuthorizationRequest {
        guard let browser else { throw .invalidChallenge(.notAuthentic) }
        do throws(SealedStateError) {
            let authorizationRequest = try browserStates.openAuthorizationRequest(response.state, of: browser.secret)
            guard authorizationRequest.provider == provider else { throw SealedStateError.wrongPurpose }
            return authorizationRequest
        } catch { throw ServiceError(error) { .invalidChallenge($0) } }
    }
}

extension ServiceError {
    /// Maps the failure of a provider endpoint during a sign-in.
    init(_ error: ProviderTokenError, of provider: ProviderName) {
        switch error {
        case .refused: self = .invalidToken(.ruleNotMet("code rejected by the provider"))
        case .misconfigured(let reason): self = .internal("\(provider) rejected the client: \(reason)")
        case .unavailable(let reason): self = .unavailable("\(provider): \(reason)")
        }
    }
}
