import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// A value for the provider's `nonce`, good for one call of the purpose by this device.
    public func challenge(for purpose: ChallengePurpose) async throws(PhotolalaError) -> Challenge {
        switch purpose {
        case .link, .reauthenticate:
            // The session's own device, whatever became of the profile's folder.
            let request = ChallengeRequest(purpose: purpose, deviceID: try device().id)
            return try await authorized(.challenge, body: request).value
        case .signin, .signup, .continue:
            let request = ChallengeRequest(purpose: purpose, deviceID: try signingInDevice().id)
            return try await connection.send(.challenge, body: request).value
        }
    }

    /// Signs in to an existing account; never creates one. Signing in again to the account that is signed in here
    /// replaces its session.
    /// - Throws: `noAccountFound`, with the pending identity, which is also kept for `pendingIdentity`;
    ///   `alreadySignedIn` when another account is, which stays so; `anotherServer`.
    @discardableResult
    public func signIn(_ proof: ProviderProof) async throws(PhotolalaError) -> User {
        try await signInReport(proof).user
    }

    /// Signs in as `signIn(_:)` does, and returns what that changed in the account.
    public func signInReport(_ proof: ProviderProof) async throws(PhotolalaError) -> SignInReport {
        let request = SignInRequest(
            provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge,
            authorizationCode: proof.authorizationCode, device: try signingInDevice()
        )
        _ = try stored()
        let key = newKey()
        do throws(PhotolalaError) {
            let answer = try await connection.send(
                .signIn, body: request, provider: proof.provider, signer: signer(key)
            ).value
            try await expectNobody(but: answer, key)
            return SignInReport(try adopt(answer, key, spentPendingIdentity: false))
        } catch {
            if let pending = error.pendingIdentity {
                try vault.keep(StoredPendingIdentity(server: server.description, identity: pending))
            }
            throw error
        }
    }

    /// Signs in to an existing account and lets the identity open it that had none: what a person does who tried the wrong
    /// provider first. The sign-in stands whatever becomes of the link.
    /// - Parameters:
    ///   - proof: of an identity that opens the account.
    ///   - pending: what that try left, from the error or from `pendingIdentity`.
    /// - Throws: as `signIn`; what kept the identity from being linked is in the answer.
    public func signIn(
        _ proof: ProviderProof, linking pending: PendingIdentity
    ) async throws(PhotolalaError) -> LinkingSignIn {
        let signedIn = try await signInReport(proof)
        let (user, kept) = (signedIn.user, signedIn.keptProviders)
        do throws(PhotolalaError) {
            let links = try await link(.pending(pending))
            return LinkingSignIn(user: user.opening(with: links), keptProviders: kept, failure: nil)
        } catch {
            return LinkingSignIn(user: user, keptProviders: kept, failure: error)
        }
    }

    /// Creates an account; never signs in to an existing one.
    /// - Parameters:
    ///   - identity: a provider's proof, or what is left of a sign-in that found no account.
    ///   - fullName: the name that the provider gave the app; Apple gives it once only.
    /// - Throws: `accountAlreadyExists`; `alreadySignedIn` when an account is signed in on this device; `anotherServer`.
    @discardableResult
    public func signUp(
        _ identity: ProvenIdentity, fullName: String? = nil
    ) async throws(PhotolalaError) -> User {
        let request = try signUpRequest(identity, fullName: fullName)
        try await expectNobody()
        return try await open(with: identity, .signUp, request).user
    }

    /// Signs in, or creates the account when there is none. Off unless the server's operator allows it.
    /// - Throws: `notAllowed`; `alreadySignedIn` when an account is signed in on this device; `anotherServer`.
    public func continueSignIn(
        _ identity: ProvenIdentity, fullName: String? = nil
    ) async throws(PhotolalaError) -> (user: User, isNewUser: Bool) {
        let request = try signUpRequest(identity, fullName: fullName)
        try await expectNobody()
        let answer = try await open(with: identity, .continueSignIn, request)
        return (answer.user, answer.isNewUser ?? false)
    }

    /// The proof that the last sign-in on this device left when it found no account; `nil` when there is none or it
    /// has ended.
    public func pendingIdentity() throws(PhotolalaError) -> PendingIdentity? {
        guard let kept = try vault.pendingIdentity(), kept.server == server.description else { return nil }
        if let end = kept.identity.expiresAt, end <= now() { return nil }
        return kept.identity
    }

    /// Ends this device's session. The device forgets it first, even when the server cannot be told.
    /// - Throws: `anotherServer`, and nothing is forgotten; else what kept the server from being told, and the device is
    ///   signed out all the same.
    public func signOut() async throws(PhotolalaError) {
        if let stored = try? vault.load(), stored.server != server.description { throw anotherServer(stored) }
        let taken = try vault.take()
        known = nil
        renewal = nil
        // Tokens are shown only to the server that issued them.
        guard let taken, taken.server == server.description else { return }
        try await end(taken)
    }

    /// Ends the sessions of all devices of the account, this one's too. Needs a proof of identity of the last 10 minutes.
    /// - Throws: `reauthenticationRequired`; nothing has ended then.
    public func signOutEverywhere() async throws(PhotolalaError) {
        _ = try await authorized(.signOutEverywhere)
        _ = try vault.take()
        known = nil
        renewal = nil
    }

    func adopt(
        _ answer: SignedIn, _ key: DeviceKey?, spentPendingIdentity isSpent: Bool
    ) throws(PhotolalaError) -> SignedIn {
        let session = fresh(answer, key)
        try vault.adopt(session, spentPendingIdentity: isSpent)
        // What was set while nobody was signed in is this person's. Where that cannot be written now, the next look does.
        _ = try? profile.preferences(of: session.user)
        known = session
        renewal = nil
        return answer
    }

    private func fresh(_ answer: SignedIn, _ key: DeviceKey?) -> StoredSession {
        StoredSession(
            server: server.description, user: answer.user.serviceUserID, session: answer.session, key: key
        )
    }

    /// Makes sure that no account is signed in here whose place a new session would take. A session that the server has
    /// ended meanwhile is in nobody's way.
    /// - Parameter answer: a sign-in that was just made. It is no stranger to its own account, and is undone for another.
    func expectNobody(
        but answer: SignedIn? = nil, _ key: DeviceKey? = nil
    ) async throws(PhotolalaError) {
        guard let stored = try stored(), stored.user != answer?.user.serviceUserID else { return }
        let standing: User
        do throws(PhotolalaError) {
            standing = try await user()
        } catch {
            switch error.code {
            case .sessionEnded, .notSignedIn: return
            default: throw error
            }
        }
        if let answer {
            // That the server cannot be told now leaves a session that nobody holds.
            try? await end(fresh(answer, key))
        }
        throw PhotolalaError(
            code: .alreadySignedIn,
            detail: "This device is signed in to the account \(standing.serviceUserID)"
                + (standing.displayName.map { " (\($0))." } ?? ".")
        )
    }

    func end(_ stored: StoredSession) async throws(PhotolalaError) {
        do throws(PhotolalaError) {
            _ = try await connection.send(
                .signOut, body: SignOutRequest(refreshToken: stored.session.refreshToken), signer: signer(stored.key)
            )
        } catch {
            guard error.code == .sessionEnded || error.code == .unauthorized else { throw error }
        }
    }

    private func signUpRequest(
        _ identity: ProvenIdentity, fullName: String?
    ) throws(PhotolalaError) -> SignUpRequest {
        switch identity {
        case .proof(let proof):
            SignUpRequest(
                provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge,
                authorizationCode: proof.authorizationCode, fullName: fullName, device: try signingInDevice()
            )
        case .pending(let pending):
            SignUpRequest(pendingIdentity: pending.value, fullName: fullName, device: try signingInDevice())
        }
    }

    private func open(
        with identity: ProvenIdentity, _ route: Route<SignUpRequest, SignedIn>, _ request: SignUpRequest
    ) async throws(PhotolalaError) -> SignedIn {
        let key = newKey()
        let answer: SignedIn
        do throws(PhotolalaError) {
            answer = try await connection.send(route, body: request, signer: signer(key)).value
        } catch {
            if case .pending = identity { try forgetIfSpent(error) }
            throw error
        }
        let isSpent = if case .pending = identity { true } else { false }
        return try adopt(answer, key, spentPendingIdentity: isSpent)
    }

    /// A pending identity that was refused as such is worthless.
    func forgetIfSpent(_ error: PhotolalaError) throws(PhotolalaError) {
        if error.code == .invalidPendingIdentity { try vault.forgetPendingIdentity() }
    }
}
