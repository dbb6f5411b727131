import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// Links another provider identity to the account.
    /// - Throws: `reauthenticationRequired` if the last authentication is older than 10 minutes,
    ///   `providerAlreadyLinked`.
    @discardableResult
    public func link(_ identity: SignInCredential) async throws(PhotolalaError) -> [LinkedProvider] {
        switch identity {
        case .credential(let proof):
            let request = LinkRequest(
                provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge,
                authorizationCode: proof.authorizationCode
            )
            return try await authorized(.linkAccount, body: request).value.linkedProviders
        case .pending(let pending):
            do throws(PhotolalaError) {
                let linked = try await authorized(
                    .linkAccount, body: LinkRequest(pendingIdentity: pending.value)
                ).value
                try vault.forgetPendingIdentity()
                return linked.linkedProviders
            } catch {
                try clearIfSpent(error)
                throw error
            }
        }
    }

    /// Unlinks a provider identity and ends the sessions that it opened, except this one. If this could lock the owner
    /// out, it takes effect after a delay: the result then contains the link in state `removing` with its `unlinksAt`,
    /// and its sessions, possibly including this one, end at that time.
    /// - Throws: `reauthenticationRequired`, `lastProvider`, `notFound`.
    @discardableResult
    public func unlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.unlinkAccount, body: UnlinkRequest(linkID: link)).value.linkedProviders
    }

    /// Cancels an unlinking that has not taken effect yet. Does not require recent authentication; signing in with the
    /// identity has the same effect.
    /// - Throws: `notFound` after it has taken effect; `unlinkPending` if only a session of an older identity may
    ///   cancel it.
    @discardableResult
    public func undoUnlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.undoUnlink, ["linkID": link.description]).value.linkedProviders
    }

    /// Reauthenticates with an identity of this account: linking and unlinking are allowed for the next 10 minutes.
    public func reauthenticate(_ proof: ProviderCredential) async throws(PhotolalaError) {
        try await reauthenticate(
            ReauthenticationRequest(provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge))
    }

    /// - Parameter user: The account to which the proof belongs; `nil` for the one that is signed in now.
    func reauthenticate(
        _ request: ReauthenticationRequest, as user: UserID? = nil
    ) async throws(PhotolalaError) {
        let user = try await validSession(of: user).user
        try await withRenewalLease(for: RenewalLease.maximumDuration) { (_) throws(PhotolalaError) in
            guard let current = try stored(), current.user == user else { throw .notSignedIn }
            let response = try await connection.send(
                .reauthenticate, body: request, accessToken: current.session.accessToken, signer: signer(current.key)
            )
            _ = try store(current.session.renewed(by: response.value.session), after: current)
        }
    }

    /// Returns the provider identities that open the account, in the order in which they were linked.
    public func linkedAccounts() async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.linkedAccounts).value.linkedProviders
    }

    /// Returns the signed-in devices, most recently seen first.
    public func devices() async throws(PhotolalaError) -> [Device] { try await deviceList().devices }

    /// Returns the signed-in devices and how long a removed one can still reach the photo store.
    public func deviceList() async throws(PhotolalaError) -> Devices { try await authorized(.devices).value }

    /// Signs a device out remotely. Requires authentication within the last 10 minutes. The device's storage
    /// credentials remain valid for `Devices.storageAccessAfterRemoval`.
    /// - Throws: `notFound`, `reauthenticationRequired`.
    public func removeDevice(_ device: DeviceID) async throws(PhotolalaError) {
        _ = try await authorized(.removeDevice, ["id": device.description])
    }

    /// Returns the account.
    public func user() async throws(PhotolalaError) -> User {
        let user = try await validSession().user
        return try await authorized(.user, Self.path(of: user), as: user).value
    }

    /// Returns the user's own profile.
    public func profile() async throws(PhotolalaError) -> VersionedProfile {
        try await profile(of: try await validSession().user)
    }

    /// Returns the profile of an account, which must be the session's.
    func profile(of user: UserID) async throws(PhotolalaError) -> VersionedProfile {
        let response = try await authorized(.profile, Self.path(of: user), as: user)
        return VersionedProfile(profile: response.value, version: response.version)
    }

    /// Replaces the profile.
    /// - Parameters:
    ///   - profile: The complete new profile.
    ///   - version: The version that was read; the profile is not replaced if it has changed since.
    /// - Throws: `changedMeanwhile`, `invalidRequest`.
    @discardableResult
    public func replaceProfile(
        with profile: Profile, ifStill version: String? = nil
    ) async throws(PhotolalaError) -> VersionedProfile {
        try await replaceProfile(of: try await validSession().user, with: profile, ifStill: version)
    }

    /// Replaces the profile of an account, which must be the session's.
    @discardableResult
    func replaceProfile(
        of user: UserID, with profile: Profile, ifStill version: String?
    ) async throws(PhotolalaError) -> VersionedProfile {
        let response = try await authorized(
            .replaceProfile, Self.path(of: user), body: profile, ifMatch: version, as: user)
        return VersionedProfile(profile: response.value, version: response.version)
    }

    /// Returns the last storage count of the account.
    public func usage() async throws(PhotolalaError) -> Usage {
        let user = try await validSession().user
        return try await authorized(.usage, Self.path(of: user), as: user).value
    }

    /// Reserves quota for uploads of exactly these bytes, 1 to 500 uploads of distinct objects. For deployments in
    /// which devices cannot write photos directly, and for uploads that a system starts later. A backup reserves its
    /// uploads automatically.
    /// - Parameter lifetime: How long the PUTs should be valid, in seconds, 300 to 604,800; 300 by default. The server
    ///   may shorten it: `ReservedUpload.expiresAt`.
    /// - Returns: The presigned PUTs, in the same order; `nil` for each upload without quota headroom, in which case the
    ///   used storage is included.
    public func reserve(
        _ uploads: [UploadRequest], lifetime: Int? = nil
    ) async throws(PhotolalaError) -> ReservedUploads {
        let request = UploadRequests(uploads: uploads, lifetime: lifetime)
        let (response, session) = try await answer(.reserveUploads, body: request)
        guard response.value.answers(uploads, of: session.user) else {
            throw PhotolalaError(code: .internalError, detail: "The response contains other uploads.")
        }
        return response.value
    }

    /// Returns a page of the account's audit events, newest first.
    /// - Parameters:
    ///   - before: The `next` value of the previous page; `nil` for the first page, which also contains pending events.
    ///   - limit: The maximum number of audit log entries on one page, 1 to 200.
    public func history(before: Int? = nil, limit: Int = 50) async throws(PhotolalaError) -> AuditPage {
        let user = try await validSession().user
        var parameters = Self.path(of: user)
        parameters["limit"] = String(limit)
        if let before { parameters["before"] = String(before) }
        return try await authorized(.audit, parameters, as: user).value
    }

    /// Returns new S3 credentials for the user's own prefixes.
    public func credentials() async throws(PhotolalaError) -> StorageCredentials {
        try await authorized(.credentials).value
    }

    /// Records in the account that this device has just completed a sync.
    func reportSync() async throws(PhotolalaError) {
        _ = try await authorized(.reportSync, ["id": try device().id.description])
    }

    static func path(of user: UserID) -> [String: String] { ["serviceUserID": user.description] }
}

/// A profile with its version, for a conditional replacement.
public struct VersionedProfile: Sendable, Equatable {
    /// The profile.
    public let profile: Profile
    /// The opaque tag of the version.
    public let version: String?
}
