import Foundation
import PhotolalaAPI

extension PhotolalaSession {
    /// Links another provider identity to the account.
    /// - Throws: `reauthenticationRequired` when the last proof is older than 10 minutes, `providerAlreadyLinked`.
    @discardableResult
    public func link(_ identity: ProvenIdentity) async throws(PhotolalaError) -> [LinkedProvider] {
        switch identity {
        case .proof(let proof):
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
                try forgetIfSpent(error)
                throw error
            }
        }
    }

    /// Unlinks a provider identity and ends the sessions that it opened, except this one. Where that could lock the owner
    /// out it takes effect later: the link is in the answer then, in state `removing` with its `unlinksAt`, and its sessions
    /// end at that time, this one too if it is one of them.
    /// - Throws: `reauthenticationRequired`, `lastProvider`, `notFound`.
    @discardableResult
    public func unlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.unlinkAccount, body: UnlinkRequest(linkID: link)).value.linkedProviders
    }

    /// Undoes an unlinking that has not taken effect yet. Needs no recent proof; signing in with the identity does the same.
    /// - Throws: `notFound` once it has taken effect; `unlinkPending` where only a session of an older identity can undo it.
    @discardableResult
    public func undoUnlink(_ link: LinkID) async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.undoUnlink, ["linkID": link.description]).value.linkedProviders
    }

    /// Proves again who is there, with an identity of this account: linking and unlinking are allowed for the next
    /// 10 minutes.
    public func reauthenticate(_ proof: ProviderProof) async throws(PhotolalaError) {
        try await reauthenticate(
            ReauthenticationRequest(provider: proof.provider, idToken: proof.idToken, challenge: proof.challenge))
    }

    func reauthenticate(_ request: ReauthenticationRequest) async throws(PhotolalaError) {
        // Alone, because the answer replaces the access token as a renewal does.
        _ = try await good()
        do {
            try await refreshLock.alone(patience: .seconds(90)) {
                guard let current = try self.stored() else { throw PhotolalaError.notSignedIn }
                let answer = try await self.connection.send(
                    .reauthenticate, body: request, accessToken: current.session.accessToken,
                    signer: self.signer(current.key)
                )
                _ = try self.keep(current.session.renewed(by: answer.value.session), after: current)
            }
        } catch let error as PhotolalaError {
            throw error
        } catch let error as SecretStorageError {
            throw PhotolalaError(local: error)
        } catch {
            throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
        }
    }

    /// The provider identities that open the account, in the order they were linked.
    public func linkedAccounts() async throws(PhotolalaError) -> [LinkedProvider] {
        try await authorized(.linkedAccounts).value.linkedProviders
    }

    /// The devices that are signed in, the most recently seen first.
    public func devices() async throws(PhotolalaError) -> [Device] { try await deviceList().devices }

    /// The same devices, with how long a removed one may still reach the photo store.
    public func deviceList() async throws(PhotolalaError) -> Devices { try await authorized(.devices).value }

    /// Signs a device out from afar. Needs a proof of identity of the last 10 minutes. Storage credentials that the device
    /// has go on for `Devices.storageAccessAfterRemoval`.
    /// - Throws: `notFound`, `reauthenticationRequired`.
    public func removeDevice(_ device: DeviceID) async throws(PhotolalaError) {
        _ = try await authorized(.removeDevice, ["id": device.description])
    }

    /// The account.
    public func user() async throws(PhotolalaError) -> User {
        try await authorized(.user, try await ownAccount()).value
    }

    /// The user's own profile.
    public func profile() async throws(PhotolalaError) -> VersionedProfile {
        try await profile(of: try await good().user)
    }

    /// The profile of an account, which nobody but its owner gets.
    func profile(of user: UserID) async throws(PhotolalaError) -> VersionedProfile {
        let answer = try await authorized(.profile, Self.path(of: user))
        return VersionedProfile(profile: answer.value, version: answer.version)
    }

    /// Replaces the profile.
    /// - Parameters:
    ///   - profile: all of it.
    ///   - version: as it was read; nothing is replaced when somebody changed the profile since.
    /// - Throws: `changedMeanwhile`, `invalidRequest`.
    @discardableResult
    public func replaceProfile(
        with profile: Profile, ifStill version: String? = nil
    ) async throws(PhotolalaError) -> VersionedProfile {
        try await replaceProfile(of: try await good().user, with: profile, ifStill: version)
    }

    /// Replaces the profile of an account, which nobody but its owner does.
    @discardableResult
    func replaceProfile(
        of user: UserID, with profile: Profile, ifStill version: String?
    ) async throws(PhotolalaError) -> VersionedProfile {
        let answer = try await authorized(.replaceProfile, Self.path(of: user), body: profile, ifMatch: version)
        return VersionedProfile(profile: answer.value, version: answer.version)
    }

    /// The last count of what the account stores.
    public func usage() async throws(PhotolalaError) -> Usage {
        try await authorized(.usage, try await ownAccount()).value
    }

    /// Reserves room for uploads of exactly these bytes, 1 to 100 of them, each object once. For deployments where devices
    /// write no photos by themselves; a backup does it by itself.
    /// - Returns: where to PUT each of them within five minutes, in their order; `nil` for each that there is no room
    ///   for, and then how much is used.
    public func reserve(_ uploads: [UploadRequest]) async throws(PhotolalaError) -> ReservedUploads {
        let answer = try await authorized(.reserveUploads, body: UploadRequests(uploads: uploads)).value
        guard answer.uploads.count == uploads.count else {
            throw PhotolalaError(code: .internalError, detail: "The server answered for other uploads.")
        }
        return answer
    }

    /// A page of what was done to the account, the newest first.
    /// - Parameters:
    ///   - before: `next` of the page before; `nil` for the first page, which also has what is not in the chain yet.
    ///   - limit: the most entries of the chain in one page, 1 to 200.
    public func history(before: Int? = nil, limit: Int = 50) async throws(PhotolalaError) -> AuditPage {
        var parameters = try await ownAccount()
        parameters["limit"] = String(limit)
        if let before { parameters["before"] = String(before) }
        return try await authorized(.audit, parameters).value
    }

    /// Fresh S3 credentials for the user's own prefixes.
    public func credentials() async throws(PhotolalaError) -> StorageCredentials {
        try await authorized(.credentials).value
    }

    /// Tells the account that this device has just finished a sync.
    func noteSync() async throws(PhotolalaError) {
        _ = try await authorized(.noteSync, ["id": try device().id.description])
    }

    private func ownAccount() async throws(PhotolalaError) -> [String: String] {
        Self.path(of: try await good().user)
    }

    private static func path(of user: UserID) -> [String: String] { ["serviceUserID": user.description] }
}

/// A profile with the version that was read, for a conditional replacement.
public struct VersionedProfile: Sendable, Equatable {
    /// What the user says of themselves.
    public let profile: Profile
    /// The version's tag; opaque.
    public let version: String?
}
