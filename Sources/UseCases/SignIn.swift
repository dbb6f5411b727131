import Accounts
import Foundation
import JWS
import PhotolalaAPI
import Sessions

extension Services {
    /// Signs in to an existing account: verifies the ID token, finds the account and opens a session on the device.
    /// Creates nothing but the session.
    ///
    /// Three reads (identity binding, account, device) and two writes (spent challenge, device); an authorization code
    /// adds one write, concurrently with the others. A device that is new to the account adds a listing (`addDevice`).
    /// - Parameter presented: the DPoP proof of the key to bind the session to.
    package func signIn(
        _ request: SignInRequest, _ presented: PresentedDPoPProof? = nil
    ) async throws(ServiceError) -> SignedIn {
        try validate(request.device)
        let holder = try verifyDeviceKey(presented)
        let proof = IDTokenRequest(provider: request.provider, idToken: request.idToken, challenge: request.challenge)
        let proven = try await verifySignIn(
            proof, code: request.authorizationCode, .signin, device: request.device.id
        )
        try await consume(holder, isOnce: false)
        return try await signIn(proven, on: request.device, key: holder?.key)
    }

    /// Signs in with a verified identity; shared by the API and the browser pages.
    /// - Parameters:
    ///   - longest: the longest sealed identity that the client can store, in bytes.
    ///   - own: the session whose secret the client presents. It could sign out, so the sign-in may replace it.
    func signIn(
        _ proven: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?, keeping longest: Int = .max,
        replacing own: SessionID? = nil
    ) async throws(ServiceError) -> SignedIn {
        guard let found = try await mapServiceErrors({ try await accounts.find(proven.identity) }) else {
            throw .noAccountFound(try await unknownIdentity(proven, device: device.id, keeping: longest))
        }
        return try await startSession(found, by: proven, on: device, key: key, isNewAccount: false, replacing: own)
    }

    /// Opens a session on a found account. A sign-in cancels the pending unlinking of its identity.
    /// - Throws: `identityTooNew` if the device has a session that the identity must not end.
    func startSession(
        _ found: FoundAccount, by proven: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?,
        isNewAccount: Bool, replacing own: SessionID? = nil
    ) async throws(ServiceError) -> SignedIn {
        let pending = Set(found.account.value.links.lazy.filter { $0.pendingUnlink != nil }.map(\.id))
        let found = try await mapServiceErrors { try await accounts.undoUnlink(bySignInWith: found, on: device.id) }
        let undone = found.account.value.links.filter {
            pending.contains($0.id) && $0.pendingUnlink == nil && $0.state == .active
        }.map(\.id)
        async let tokens: Void = storeTokens(of: proven, for: found)
        let opened: Result<OpenedSession, any Error>
        do {
            opened = .success(
                try await recordingAuditEvents(on: device.id, of: found.account) { standing in
                    try await sessions.open(
                        on: device, user: found.account.value.serviceUserID, link: found.link.id,
                        of: found.link.provider, standing, key: key, provedAt: proven.identity.issuedAt,
                        isNewAccount: isNewAccount,
                        unless: {
                            $0.id != own && isSignInBlocked(by: $0, for: found.link.id, in: found.account.value)
                        }
                    )
                }
            )
        } catch {
            opened = .failure(error)
        }
        await tokens
        if case .success(let opened) = opened, opened.isOnNewDevice {
            try await addDevice(device.id, openedBy: found.link.id, to: found.account)
        }
        let lastUsed = [found.link.id: now()]
        return try await mapServiceErrors {
            SignedIn(
                user: try show(found.account.value, lastUsed: lastUsed), session: try opened.get().session,
                undoneUnlinks: undone.isEmpty ? nil : undone)
        }
    }

    /// Seals an identity without an account for Create Account or Link, with the hints that its e-mail address permits.
    func unknownIdentity(
        _ proven: VerifiedSignIn, device: DeviceID, keeping longest: Int
    ) async throws(ServiceError) -> UnknownIdentity {
        let identity = proven.identity
        let pending = try seal(proven, for: device, keeping: longest)
        return UnknownIdentity(
            provider: identity.provider, pendingIdentity: pending.sealed, expiresAt: pending.expiresAt,
            hints: await hints(for: identity)
        )
    }

    /// Seals an identity. If the result is too long, leaves out first the name, which the user can set later, and then
    /// the provider's refresh token, which signing in does not need.
    /// - Throws: `invalidToken` if the identity alone is too long.
    private func seal(
        _ proven: VerifiedSignIn, for device: DeviceID, keeping longest: Int
    ) throws(ServiceError) -> (sealed: String, expiresAt: Date) {
        let nameless = VerifiedSignIn(
            identity: proven.identity, authorizationCode: proven.authorizationCode, refreshToken: proven.refreshToken)
        let bare = VerifiedSignIn(identity: proven.identity, authorizationCode: proven.authorizationCode)
        for candidate in [proven, nameless, bare] {
            do {
                let pending = try pendingIdentities.seal(candidate, for: device)
                if pending.sealed.utf8.count <= longest { return pending }
            } catch { throw ServiceError(error) }
        }
        throw .invalidToken(.ruleNotMet("identity too long for a browser cookie"))
    }

    /// Returns hints about other accounts of the e-mail address. A hint that cannot be read must not block a sign-up.
    private func hints(for identity: VerifiedIdentity) async -> [ProviderName] {
        guard let email = identity.email, email.provesOwnership else { return [] }
        do {
            try limits.consumeHint(for: email.address)
            let hints = try await accounts.hintedProviders(for: email)
            if !hints.isEmpty { logger.info("account hint returned", metadata: ["provider": "\(identity.provider)"]) }
            return hints
        } catch ServiceError.rateLimited {
            logger.notice("account hint withheld: rate limit exceeded")
            return []
        } catch {
            logger.error("unreadable email hint", metadata: ["reason": "\(error)"])
            return []
        }
    }

    /// Checks the limits of a device description.
    func validate(_ device: DeviceDescription) throws(ServiceError) {
        guard isText(device.name, 1...100) else {
            throw .invalidRequest("device.name must be 1 to 100 characters without control characters.")
        }
        guard isText(device.model ?? "", 0...100) else {
            throw .invalidRequest("device.model must be at most 100 characters without control characters.")
        }
        guard isText(device.platform, 1...32) else {
            throw .invalidRequest("device.platform must be 1 to 32 characters without control characters.")
        }
    }

    /// Returns whether a text has an allowed length and no control characters. Counts Unicode scalars, because one
    /// character can carry any number of accents.
    func isText(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
