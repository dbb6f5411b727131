import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// Returns a value for the provider's `nonce`, valid for one call with this purpose by this device.
    public func challenge(for purpose: ChallengePurpose) async throws(PhotolalaError) -> Challenge {
        switch purpose {
        case .link, .reauthenticate:
            // Uses the session's device, even if the profile's folder was copied or replaced.
            let request = ChallengeRequest(purpose: purpose, deviceID: try device().id)
            return try await authorized(.challenge, body: request).value
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
            try await requireNoSession(except: response, key)
            return SignInReport(try adopt(response, key, usedPendingIdentity: false, by: proof.identity))
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
            let links = try await link(.pending(pending))
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
        if let stored = try? vault.load(), stored.server != server.description { throw anotherServer(stored) }
        let removed = try vault.removeSession()
        cachedSession = nil
        renewal = nil
        // Tokens are sent only to the server that issued them.
        guard let removed, removed.server == server.description else { return }
        try await end(removed)
    }

    /// Ends the sessions of all devices of the account, including this one. Requires authentication within the last 10
    /// minutes.
    /// - Throws: `reauthenticationRequired`, in which case nothing has ended.
    public func signOutEverywhere() async throws(PhotolalaError) {
        _ = try await authorized(.signOutEverywhere)
        _ = try vault.removeSession()
        cachedSession = nil
        renewal = nil
    }

    func adopt(
        _ signedIn: SignedIn, _ key: DeviceKey?, usedPendingIdentity isUsed: Bool, by identity: ProviderIdentity? = nil
    ) throws(PhotolalaError) -> SignedIn {
        let session = makeStoredSession(signedIn, key, identity)
        try vault.adopt(session, usedPendingIdentity: isUsed)
        profile.storeLastServer(server)
        // Moves preferences that were set without an account to this account. If this fails now, the next read does it.
        _ = try? profile.preferences(of: session.user)
        cachedSession = session
        renewal = nil
        return signedIn
    }

    private func makeStoredSession(
        _ signedIn: SignedIn, _ key: DeviceKey?, _ identity: ProviderIdentity? = nil
    ) -> StoredSession {
        StoredSession(
            server: server.description, user: signedIn.user.serviceUserID, session: signedIn.session, key: key,
            identity: identity)
    }

    /// Checks that no other account is signed in here whose session a new one would replace. A session that the server
    /// has already ended does not count.
    /// - Parameter signedIn: A completed sign-in. It may replace a session of the same account; if another account is
    ///   signed in, the new session is ended.
    func requireNoSession(
        except signedIn: SignedIn? = nil, _ key: DeviceKey? = nil
    ) async throws(PhotolalaError) {
        guard let stored = try stored(), stored.user != signedIn?.user.serviceUserID else { return }
        let currentUser: User
        do throws(PhotolalaError) {
            currentUser = try await user()
        } catch {
            switch error.code {
            case .sessionEnded, .notSignedIn: return
            default: throw error
            }
        }
        if let signedIn {
            // If the server cannot be reached now, an unused session remains there.
            try? await end(makeStoredSession(signedIn, key))
        }
        throw PhotolalaError(
            code: .alreadySignedIn,
            detail: "Already signed in to account \(currentUser.serviceUserID)"
                + (currentUser.displayName.map { " (\($0))." } ?? ".")
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
            return try adopt(response, key, usedPendingIdentity: false, by: proof.identity)
        case .pending(let pending):
            return try adopt(response, key, usedPendingIdentity: true, by: try kept(pending)?.provider)
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
