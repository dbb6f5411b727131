import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// Returns a value for the provider's `nonce`, valid for one call with this purpose by this device.
    public func challenge(for purpose: ChallengePurpose) async throws(PhotolalaError) -> Challenge {
        try await challenge(for: purpose, as: nil)
    }

    /// - Parameter user: The account that links or reauthenticates; `nil` for the one that is signed in now.
    func challenge(for purpose: ChallengePurpose, as user: UserID?) async throws(PhotolalaError) -> Challenge {
        switch purpose {
        case .link, .reauthenticate:
            // Uses the session's device, even if the profile's folder was copied or replaced.
            let request = ChallengeRequest(purpose: purpose, deviceID: try device().id)
            return try await authorized(.challenge, body: request, as: user).value
        case .signin, .signup, .continue:
            let request = ChallengeRequest(purpose: purpose, deviceID: try signInDevice().id)
            return try await connection.send(.challenge, body: request).value
        }
    }

    /// Signs in to an existing account; never creates one. Signing in again to the same account replaces its session.
    /// - Throws: `noAccountFound` with the pending identity, which is also stored for `pendingIdentity`;
    ///   `alreadySignedIn` if another account is signed in, which remains so; `anotherServer`.
    @discardableResult
    public func signIn(_ proof: ProviderCredential) async throws(PhotolalaError) -> User {
        try await signInReport(proof).user
    }

    /// Signs in like `signIn(_:)` and also returns what the sign-in changed in the account.
    public func signInReport(_ proof: ProviderCredential) async throws(PhotolalaError) -> SignInReport {
        let key = newKey()
        let request = SignInRequest(
            provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge,
            authorizationCode: proof.authorizationCode, device: try signInDevice(with: key)
        )
        _ = try stored()
        do throws(PhotolalaError) {
            let response = try await connection.send(
                .signIn, body: request, provider: proof.provider, signer: signer(key)
            ).value
            return SignInReport(try await adopt(response, key, usedPendingIdentity: false, by: proof.identity))
        } catch {
            if let pending = error.pendingIdentity {
                try vault.storePending(
                    StoredPendingIdentity(
                        server: server.description, identity: pending, fullName: proof.fullName,
                        provider: proof.identity))
                profile.storeLastServer(server)
            }
            throw error
        }
    }

    /// Signs in to an existing account and links an identity without an account to it, for a user who tried the wrong
    /// provider first. The sign-in succeeds even if the link fails.
    /// - Parameters:
    ///   - proof: The ID token of an identity that opens the account.
    ///   - pending: The pending identity of the failed attempt, from its error or from `pendingIdentity`.
    /// - Throws: The errors of `signIn`. A failure to link is part of the result.
    public func signIn(
        _ proof: ProviderCredential, linking pending: PendingIdentity
    ) async throws(PhotolalaError) -> LinkingSignIn {
        let signedIn = try await signInReport(proof)
        let (user, keptProviders) = (signedIn.user, signedIn.keptProviders)
        do throws(PhotolalaError) {
            let links = try await limited(to: user.serviceUserID).link(.pending(pending))
            return LinkingSignIn(
                user: user.replacingLinkedProviders(with: links), keptProviders: keptProviders, failure: nil)
        } catch {
            return LinkingSignIn(user: user, keptProviders: keptProviders, failure: error)
        }
    }

    /// Creates an account; never signs in to an existing one.
    /// - Parameters:
    ///   - identity: A provider's ID token, or the pending identity of a sign-in that found no account.
    ///   - fullName: The user's name; by default, the one in the credential or kept with the pending identity.
    /// - Throws: `accountAlreadyExists`; `alreadySignedIn` if an account is signed in on this device; `anotherServer`.
    @discardableResult
    public func signUp(
        _ identity: SignInCredential, fullName: String? = nil
    ) async throws(PhotolalaError) -> User {
        let key = newKey()
        let request = try signUpRequest(identity, fullName: fullName, key)
        try await requireNoSession()
        return try await authenticate(with: identity, .signUp, request, key).user
    }

    /// Signs in, or creates the account if there is none. Disabled unless the server's operator allows it.
    /// - Throws: `notAllowed`; `alreadySignedIn` if an account is signed in on this device; `anotherServer`.
    public func continueSignIn(
        _ identity: SignInCredential, fullName: String? = nil
    ) async throws(PhotolalaError) -> (user: User, isNewUser: Bool) {
        let key = newKey()
        let request = try signUpRequest(identity, fullName: fullName, key)
        try await requireNoSession()
        let response = try await authenticate(with: identity, .continueSignIn, request, key)
        return (response.user, response.isNewUser ?? false)
    }

    /// Returns the pending identity of the last sign-in on this device that found no account; `nil` if there is none or
    /// it has expired.
    public func pendingIdentity() throws(PhotolalaError) -> PendingIdentity? {
        guard let stored = try vault.pendingIdentity(), stored.server == server.description else { return nil }
        if let end = stored.identity.expiresAt, end <= now() { return nil }
        return stored.identity
    }

    /// Ends this device's session. The device removes it first, even if the server cannot be reached.
    /// - Throws: `anotherServer`, in which case nothing is removed; otherwise the error of the server call, in which
    ///   case the device is signed out nevertheless.
    public func signOut() async throws(PhotolalaError) {
        if let stored = try? vault.load() {
            guard stored.server == server.description else { throw anotherServer(stored) }
            guard account == nil || stored.user == account else { throw .notSignedIn }
        }
        let removed = try vault.removeSession(of: account)
        // Tokens are sent only to the server that issued them.
        guard let removed, removed.server == server.description else { return }
        try await end(removed)
    }

    /// Ends the sessions of all devices of the account, including this one. Requires authentication within the last 10
    /// minutes.
    /// - Throws: `reauthenticationRequired`, in which case nothing has ended.
    public func signOutEverywhere() async throws(PhotolalaError) {
        let (_, used) = try await answer(.signOutEverywhere)
        // Another sign-in may have replaced the session in the meantime.
        try vault.removeEnded(used)
    }

    /// Stores the session of a completed sign-in. If another account is signed in here, also since the sign-in began, the
    /// new session is ended and the existing one is kept.
    func adopt(
        _ signedIn: SignedIn, _ key: DeviceKey?, usedPendingIdentity isUsed: Bool, by identity: ProviderIdentity? = nil
    ) async throws(PhotolalaError) -> SignedIn {
        let session = StoredSession(
            server: server.description, user: signedIn.user.serviceUserID, session: signedIn.session, key: key,
            identity: identity)
        do throws(PhotolalaError) {
            if let account, account != session.user { throw .anotherAccount(session.user) }
            let ended = try await requireNoSession(except: session.user)
            guard try vault.adopt(session, over: ended, usedPendingIdentity: isUsed) else {
                throw PhotolalaError(
                    code: .alreadySignedIn, detail: "Another account was signed in on this device in the meantime.")
            }
        } catch {
            await discard(session)
            throw error
        }
        profile.storeLastServer(server)
        // Moves preferences that were set without an account to this account. If this fails now, the next read does it.
        _ = try? profile.preferences(of: session.user)
        return signedIn
    }

    /// Checks that no account is signed in here whose session a new one would replace. A session that the server has
    /// already ended does not count.
    /// - Parameter user: The account whose session may be replaced.
    /// - Returns: The stored session, which has ended; `nil` if there is none of another account.
    @discardableResult
    func requireNoSession(except user: UserID? = nil) async throws(PhotolalaError) -> StoredSession? {
        guard let stored = try stored(), stored.user != user else { return nil }
        let currentUser: User
        do throws(PhotolalaError) {
            currentUser = try await self.user()
        } catch {
            switch error.code {
            case .sessionEnded, .notSignedIn: return stored
            default: throw error
            }
        }
        throw PhotolalaError(
            code: .alreadySignedIn,
            detail: "Already signed in to account \(currentUser.serviceUserID)"
                + (currentUser.displayName.map { " (\($0))." } ?? ".")
        )
    }

    /// Ends a new session that this device does not store, also if the caller is cancelled. If the server cannot be
    /// reached now, an unused session remains there.
    func discard(_ session: StoredSession) async {
        await Task { try? await self.end(session) }.value
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
        _ identity: SignInCredential, fullName: String?, _ key: DeviceKey?
    ) throws(PhotolalaError) -> SignUpRequest {
        switch identity {
        case .credential(let proof):
            return SignUpRequest(
                provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge,
                authorizationCode: proof.authorizationCode, fullName: fullName ?? proof.fullName,
                device: try signInDevice(with: key)
            )
        case .pending(let pending):
            let kept = try kept(pending)
            return SignUpRequest(
                pendingIdentity: pending.value, fullName: fullName ?? kept?.fullName,
                device: try signInDevice(with: key))
        }
    }

    private func authenticate(
        with identity: SignInCredential, _ route: Route<SignUpRequest, SignedIn>, _ request: SignUpRequest,
        _ key: DeviceKey?
    ) async throws(PhotolalaError) -> SignedIn {
        let response: SignedIn
        do throws(PhotolalaError) {
            response = try await connection.send(route, body: request, signer: signer(key)).value
        } catch {
            if case .pending = identity { try clearIfSpent(error) }
            throw error
        }
        switch identity {
        case .credential(let proof):
            return try await adopt(response, key, usedPendingIdentity: false, by: proof.identity)
        case .pending(let pending):
            return try await adopt(response, key, usedPendingIdentity: true, by: try kept(pending)?.provider)
        }
    }

    /// Returns what was stored with a pending identity of this server.
    private func kept(_ pending: PendingIdentity) throws(PhotolalaError) -> StoredPendingIdentity? {
        guard let stored = try vault.pendingIdentity(), stored.server == server.description,
            stored.identity.value == pending.value
        else { return nil }
        return stored
    }

    /// Removes the pending identity if the server rejected it.
    func clearIfSpent(_ error: PhotolalaError) throws(PhotolalaError) {
        if error.code == .invalidPendingIdentity { try vault.forgetPendingIdentity() }
    }
}
