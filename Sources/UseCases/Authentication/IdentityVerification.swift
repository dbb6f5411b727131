import Accounts
import PhotolalaAPI
import Secrets

/// Issues challenges, and verifies the identities of sign-ins and of actions in a session.
package struct IdentityVerification: Sendable {
    let verifiers: [ProviderName: any IdentityTokenVerifier]
    let challenges: Challenges
    let pendingIdentities: PendingIdentities
    let usedMarkers: SingleUseMarkers
    let sensitiveActions: SensitiveActionPolicy
    let limits: RateLimiter
    let randomness: Randomness
    let policy: ServicePolicy

    /// Creates a challenge; for actions in a session it is bound to the account.
    package func makeChallenge(_ request: ChallengeRequest, caller: Caller?) throws(ServiceError) -> Challenge {
        switch request.purpose {
        case .link, .reauthenticate:
            guard let caller else { throw .unauthorized("challenge requires an access token") }
            guard caller.device.value.id == request.deviceID else { throw .deviceMismatch }
            // Checked here so that the user is not sent to a provider in vain.
            if request.purpose == .link { try sensitiveActions.requireRecentAuthentication(caller, for: .link) }
        case .signin, .signup, .continue:
            break
        }
        do {
            return try challenges.make(
                .request(
                    request.purpose, request.deviceID,
                    user: request.purpose == .link || request.purpose == .reauthenticate ? caller?.user : nil))
        } catch {
            throw .internal("\(error)")
        }
    }

    /// Verifies an ID token and spends its challenge. One write with a challenge, none without; one more for a token
    /// that may be used only once.
    func verifyIdentity(
        _ proof: IDTokenRequest, _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(ServiceError) -> VerifiedIdentity {
        guard let verifier = verifiers[proof.provider] else { throw .unknownProvider(proof.provider) }
        guard proof.challenge != nil || !policy.requiresChallenge else { throw .challengeRequired }
        // Checked before the token, whose verification may need a request to the provider.
        let challenge = try checkChallenge(proof.challenge, purpose, device: device, user: user)
        let identity: VerifiedIdentity
        do {
            identity = try await verifier.verify(proof.idToken)
        } catch .providerUnavailable {
            throw .unavailable("provider not reachable")
        } catch {
            throw .invalidToken(error)
        }
        // Compared before the call is counted: a token that was stolen elsewhere must not use up its owner's sign-ins.
        if let challenge { try requireNonce(of: identity, challenge) }
        try limits.consume(identity.provider, subject: identity.subject)
        if let challenge { try await consumeChallenge(challenge) }
        if let marker = identity.replayMarker { try await consumeMarker(marker) }
        return identity
    }

    private func checkChallenge(
        _ challenge: String?, _ purpose: ChallengePurpose, device: DeviceID, user: UserID?
    ) throws(ServiceError) -> Challenges.VerifiedChallenge? {
        guard let challenge else { return nil }
        do { return try challenges.verify(challenge, .request(purpose, device, user: user)) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
    }

    private func requireNonce(
        of identity: VerifiedIdentity, _ challenge: Challenges.VerifiedChallenge
    ) throws(ServiceError) {
        do {
            try challenges.requireNonce(
                identity.nonce, of: challenge, lacksNonceSupport: identity.lacksNonceSupport)
        } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
    }

    private func consumeChallenge(_ challenge: Challenges.VerifiedChallenge) async throws(ServiceError) {
        do { try await challenges.consume(challenge) } catch { throw ServiceError(error) { .invalidChallenge($0) } }
    }

    private func consumeMarker(_ marker: TokenReplayMarker) async throws(ServiceError) {
        do {
            try await usedMarkers.consume(
                "token-\(marker.id)", expiresAt: marker.expiresAt, marker: Hex.encode(randomness.bytes(16))
            )
        } catch {
            throw ServiceError(error) { _ in .invalidToken(.ruleNotMet("already used")) }
        }
    }

    /// Verifies an ID token that comes with an authorization code.
    func verifyToken(
        _ proof: IDTokenRequest, code: String?, _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(ServiceError) -> VerifiedSignIn {
        // RFC 6749 appendix A.11.
        guard (1...1024).contains(code?.utf8.count ?? 1),
            code?.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) ?? true
        else {
            throw .invalidRequest("authorizationCode must be 1 to 1,024 printable ASCII characters.")
        }
        let identity = try await verifyIdentity(proof, purpose, device: device, user: user)
        return VerifiedSignIn(identity: identity, authorizationCode: code)
    }

    /// Returns the identity of a sign-up or link request: from an ID token, or from a pending identity of an earlier
    /// sign-in.
    func verifySignIn(
        _ proof: IDTokenRequest?, code: String?, pending: String?, verifier: String? = nil,
        _ purpose: ChallengePurpose, device: DeviceID, user: UserID? = nil
    ) async throws(ServiceError) -> VerifiedSignIn {
        switch (proof, pending) {
        case (let proof?, nil):
            return try await verifyToken(proof, code: code, purpose, device: device, user: user)
        case (nil, let pending?):
            guard code == nil else {
                throw .invalidRequest("Omit authorizationCode: pendingIdentity contains it.")
            }
            do {
                let verified = try await pendingIdentities.consume(
                    pending, device: device, for: purpose, verifier: verifier)
                let provider = verified.identity.provider
                guard verifiers[provider] != nil else { throw ServiceError.unknownProvider(provider) }
                try limits.consume(provider, subject: verified.identity.subject)
                return verified
            } catch let error as SealedStateError {
                throw ServiceError(error) { .invalidPendingIdentity($0) }
            } catch {
                throw ServiceError(error)
            }
        case (nil, nil), (_?, _?):
            throw .invalidRequest("Send either provider and idToken, or pendingIdentity.")
        }
    }

    /// Returns the ID token part of a request, which may carry a pending identity instead.
    func idTokenRequest(
        _ provider: ProviderName?, _ idToken: String?, _ challenge: String?
    ) throws(ServiceError) -> IDTokenRequest? {
        switch (provider, idToken) {
        case (let provider?, let idToken?):
            return IDTokenRequest(provider: provider, idToken: idToken, challenge: challenge)
        case (nil, nil):
            return nil
        default:
            throw .invalidRequest("Send provider and idToken together.")
        }
    }
}
