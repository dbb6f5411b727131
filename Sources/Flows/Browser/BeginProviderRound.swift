import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import Secrets

extension Services {
    /// Sends a browser to a provider. Nothing is kept: all that is to be known when it comes back travels sealed.
    /// - Parameters:
    ///   - caller: for acts in a session; linking needs a recent proof before it begins.
    ///   - path: the page here that the browser goes on to.
    /// - Returns: the address at the provider.
    package func beginRound(
        at provider: ProviderName, for purpose: ChallengePurpose, in browser: Browser, caller: Caller?,
        returnTo path: String
    ) async throws(FlowError) -> String {
        guard let authorization = authorization(at: provider) else { throw .unknownProvider(provider) }
        if purpose == .link, let caller { try requireRecentProof(caller, for: .link) }
        let challenge = try makeChallenge(
            ChallengeRequest(purpose: purpose, deviceID: browser.device.id), caller: caller)
        let round = ProviderRound(
            provider: provider, purpose: purpose, challenge: challenge, verifier: browserProofs.verifier(),
            user: caller?.user, returnTo: path
        )
        return try await location(for: round, at: authorization, in: browser)
    }

    /// The provider's address that a browser goes to with an authorization request.
    func location(
        for round: ProviderRound, at authorization: any ProviderAuthorization, in browser: Browser
    ) async throws(FlowError) -> String {
        let sealed: String?
        do { sealed = try browserProofs.state(of: round, for: browser.secret) } catch {
            throw FlowError(error) { .invalidChallenge($0) }
        }
        guard let state = sealed else {
            throw .invalidRequest("The app's request is too long for the way to a provider.")
        }
        do {
            return try await authorization.location(
                for: AuthorizationRequest(
                    state: state, nonce: round.challenge,
                    codeChallenge: Base64URL.encode(Data(SHA256.hash(data: Data(round.verifier.utf8)))),
                    // Who is to link another identity, or to prove their own again, shall be able to say which.
                    asksAgain: round.purpose == .link || round.purpose == .reauthenticate
                )
            )
        } catch { throw FlowError(error, of: round.provider) }
    }

    func authorization(at provider: ProviderName) -> (any ProviderAuthorization)? {
        authorizations.first { $0.provider == provider }
    }
}

extension FlowError {
    /// What it means that a provider's endpoint did not do as it was asked for somebody's sign-in.
    init(_ error: ProviderTokenError, of provider: ProviderName) {
        switch error {
        case .refused: self = .invalidToken(.ruleNotMet("the provider does not know the code"))
        case .misconfigured(let reason): self = .internal("\(provider) does not take our client: \(reason)")
        case .unavailable(let reason): self = .unavailable("\(provider): \(reason)")
        }
    }
}
