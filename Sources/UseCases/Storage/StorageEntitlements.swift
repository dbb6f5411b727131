import Accounts
import Foundation
import Sessions
import Sharing
import StorageAccess

/// Checks the sessions of issued storage credentials for the storage endpoint.
package struct StorageEntitlements: StorageSessionCheck {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let usage: UsageCounts
    let tiers: Tiers
    let sharedLinks: SharedLinkAccess
    let now: @Sendable () -> Date

    /// Returns the current access of issued storage credentials. Two reads; one more for an account that was over its
    /// limit at the last count.
    package func entitlement(of session: SealedStorageSession) async throws -> StorageEntitlement? {
        if let link = session.sharedLink {
            guard let id = SharedLinkID(link), let account = try await sharedLinks.account(of: id, session.user) else {
                return nil
            }
            return StorageEntitlement(access: .read, storageLimit: tiers.storageLimit(of: account.value))
        }
        let (account, record) = try await accounts.documents.store.both(
            { try await accounts.usableAccount(session.user) },
            { try await sessions.devices.device(session.device, of: session.user) })
        guard let account, let record,
            (try? sessions.validSession(session.session, on: record.value, account.value.sessionState(at: now())))
                != nil
        else { return nil }
        let limit = tiers.storageLimit(of: account.value)
        guard var access = account.value.storageAccess(within: limit) else { return nil }
        if access == .readDelete, let current = try await usage.current(of: session.user), current.bytes <= limit {
            access = .readWrite
        }
        return StorageEntitlement(access: access, storageLimit: limit)
    }
}
