import Accounts
import Foundation
import PhotolalaAPI
import Sessions
import StorageAccess

extension Services {
    /// Storage credentials for the caller's own prefixes. No request of its own, unless the limit is near: account and
    /// device were read when the caller was authenticated. Where uploads are reserved they write no photos.
    package func issueCredentials(_ caller: Caller) async throws(FlowError) -> StorageCredentials {
        guard rules.reservesUploads else {
            let account = try await recountedNearLimit(caller.account)
            guard let access = tiers.storageAccess(of: account.value) else { throw .sessionEnded }
            return try await issue(access, to: caller)
        }
        let access = try access(of: caller).narrowed(to: .readDelete)
        return try await issue(access, to: caller).reservingUploads
    }

    /// Credentials of the caller's session that reach so far.
    func issue(_ access: StorageAccessLevel, to caller: Caller) async throws(FlowError) -> StorageCredentials {
        let grant = StorageGrant(
            user: caller.user, device: caller.device.value.id, session: caller.session.id, access: access,
            expiresAt: min(now().addingTimeInterval(3600), caller.session.expiresAt)
        )
        return try await step { try await credentials.issue(grant) }
    }
}

extension Services: StorageSessionCheck {
    /// What storage credentials that were handed out reach now. Two reads; one more of an account that was over its limit
    /// when it was last counted.
    package func standing(of session: SealedStorageSession) async throws -> StorageStanding? {
        async let account = accounts.account(session.user)
        async let record = sessions.devices.device(session.device, of: session.user)
        guard let account = try await account, let record = try await record,
            (try? sessions.standing(session.session, on: record.value, account.value.standing)) != nil
        else { return nil }
        let limit = tiers.storageLimit(of: account.value)
        guard var access = account.value.storageAccess(within: limit) else { return nil }
        if access == .readDelete, let current = try await usage.current(of: session.user), current.bytes <= limit {
            access = .readWrite
        }
        return StorageStanding(access: access, storageLimit: limit)
    }
}
