import Accounts
import Foundation
import PhotolalaAPI
import Secrets

extension Services {
    /// Creates a challenge; for actions in a session it is bound to the account.
    package func makeChallenge(_ request: ChallengeRequest, caller: Caller?) throws(FlowError) -> Challenge {
        switch request.purpose {
        case .link, .reauthenticate:
            guard let caller else { throw .unauthorized("this challenge needs an access token") }
            guard caller.device.value.id == request.deviceID else { throw .deviceMismatch }
            // Checked here so that the user is not sent to a provider in vain.
            if request.purpose == .link { try requireRecentProof(caller, for: .link) }
        case .signin, .signup, .continue:
            break
        }
        do {
            return try challenges.make(
                request.purpose, device: request.deviceID,
                user: request.purpose == .link || request.purpose == .reauthenticate ? caller?.user : nil
            )
        } catch {
            throw .internal("\(error)")
        }
    }

    /// Verifies an ID token and spends its challenge. One write with a challenge, none without; one more for a token
    /// that may be used only once.
    func prove(
        _ proof: ProofRequest, _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(FlowError) -> VerifiedIdentity {
        guard let verifier = verifiers[proof.provider] else { throw .unknownProvider(proof.provider) }
        guard proof.challenge != nil || !rules.requiresChallenge else { throw .challengeRequired }
        // Checked before the token, whose verification may need a request to the provider.
        let challenge = try checkChallenge(proof.challenge, purpose, device: device, user: user)
        let identity: VerifiedIdentity
        do {
            identity = try await verifier.verify(proof.idToken)
        } catch .providerUnavailable {
            throw .unavailable("the provider does not answer")
        } catch {
            throw .invalidToken(error)
        }
        try limits.take(identity.provider, subject: identity.subject)
        if let challenge { try await spend(challenge, identity) }
        if let mark = identity.mark { try await spend(mark) }
        return identity
    }

    private func checkChallenge(
        _ challenge: String?, _ purpose: ChallengePurpose, device: DeviceID, user: UserID?
    ) throws(FlowError) -> Challenges.Checked? {
        guard let challenge else { return nil }
        do { return try challenges.check(challenge, purpose, device: device, user: user) } catch {
            throw FlowError(error) { .invalidChallenge($0) }
        }
    }

    private func spend(_ challenge: Challenges.Checked, _ identity: VerifiedIdentity) async throws(FlowError) {
        do {
            try await challenges.spend(
                challenge, nonce: identity.nonce, lacksNonceSupport: identity.lacksNonceSupport)
        } catch {
            throw FlowError(error) { .invalidChallenge($0) }
        }
    }

    private func spend(_ mark: TokenMark) async throws(FlowError) {
        do {
            try await spentMarks.spend(
                "token-\(mark.id)", expiresAt: mark.expiresAt, mark: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            throw FlowError(error) { _ in .invalidToken(.ruleNotMet("it was used before")) }
        }
    }

    /// Verifies an ID token that comes with an authorization code.
    func prove(
        _ proof: ProofRequest, code: String?, _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(FlowError) -> ProvenIdentity {
        guard (1...1024).contains(code?.utf8.count ?? 1) else {
            throw .invalidRequest("authorizationCode has 1 to 1,024 bytes.")
        }
        let identity = try await prove(proof, purpose, device: device, user: user)
        return ProvenIdentity(identity: identity, authorizationCode: code)
    }

    /// Returns the identity of a sign-up or link request: from an ID token, or from a pending identity of an earlier
    /// sign-in.
    func prove(
        _ proof: ProofRequest?, code: String?, pending: String?, verifier: String? = nil,
        _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(FlowError) -> ProvenIdentity {
        switch (proof, pending) {
        case (let proof?, nil):
            return try await prove(proof, code: code, purpose, device: device, user: user)
        case (nil, let pending?):
            guard code == nil else {
                throw .invalidRequest("A pendingIdentity brings the code of its sign-in with it.")
            }
            do {
                let proven = try await pendingIdentities.spend(
                    pending, device: device, for: purpose, verifier: verifier)
                let provider = proven.identity.provider
                guard verifiers[provider] != nil else { throw FlowError.unknownProvider(provider) }
                try limits.take(provider, subject: proven.identity.subject)
                return proven
            } catch let error as ProofError {
                throw FlowError(error) { .invalidPendingIdentity($0) }
            } catch {
                throw FlowError(error)
            }
        case (nil, nil), (_?, _?):
            throw .invalidRequest("Give either provider and idToken, or pendingIdentity.")
        }
    }

    /// Returns the ID token part of a request, which may carry a pending identity instead.
    func proof(
        _ provider: ProviderName?, _ idToken: String?, _ challenge: String?
    ) throws(FlowError) -> ProofRequest? {
        switch (provider, idToken) {
        case (let provider?, let idToken?):
            return ProofRequest(provider: provider, idToken: idToken, challenge: challenge)
        case (nil, nil):
            return nil
        default:
            throw .invalidRequest("provider and idToken belong together.")
        }
    }
}
