import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import Secrets

extension Services {
    /// Starts an authorization request at a provider. Stores nothing: the state travels sealed with the browser.
    /// - Parameters:
    ///   - caller: the caller, for actions in a session; linking requires recent authentication before it starts.
    ///   - path: the page of this server that the browser returns to.
    /// - Returns: the authorization URL at the provider.
    package func beginAuthorization(
        at provider: ProviderName, for purpose: ChallengePurpose, in browser: Browser, caller: Caller?,
        returnTo path: String
    ) async throws(ServiceError) -> String {
        guard let authorization = authorization(at: provider) else { throw .unknownProvider(provider) }
        if purpose == .link, let caller { try requireRecentAuthentication(caller, for: .link) }
        let challenge = try makeChallenge(
            ChallengeRequest(purpose: purpose, deviceID: browser.device.id), caller: caller)
        let round = ProviderAuthorizationRequest(
            provider: provider, purpose: purpose, challenge: challenge, verifier: browserStates.makeVerifier(),
            user: caller?.user, returnTo: path
        )
        return try await authorizationURL(for: round, at: authorization, in: browser)
    }

    /// Returns the authorization URL at the provider.
    func authorizationURL(
        for round: ProviderAuthorizationRequest, at authorization: any ProviderAuthorization, in browser: Browser
    ) async throws(ServiceError) -> String {
        let sealed: String?
        do { sealed = try browserStates.state(of: round, for: browser.secret) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
        guard let state = sealed else {
            throw .invalidRequest("The app's authorization request is too long.")
        }
        do {
            return try await authorization.location(
                for: AuthorizationRequest(
                    state: state, nonce: round.challenge,
                    codeChallenge: Base64URL.encode(Data(SHA256.hash(data: Data(round.verifier.utf8)))),
                    // A user who links another identity or authenticates again must be able to choose the provider
                    // account.
                    asksAgain: round.purpose == .link || round.purpose == .reauthenticate
                )
            )
        } catch { throw ServiceError(error, of: round.provider) }
    }

    func authorization(at provider: ProviderName) -> (any ProviderAuthorization)? {
        authorizations.first { $0.provider == provider }
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
