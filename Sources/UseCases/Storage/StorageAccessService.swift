import Accounts
import Foundation
import Monitoring
import PhotolalaAPI
import StorageAccess

/// Issues storage credentials.
package struct StorageAccessService: Sendable {
    let credentials: any CredentialIssuer
    let usage: UsageCounts
    let usageService: UsageService
    let tiers: Tiers
    let cache: LibraryCache
    let policy: ServicePolicy
    let metrics: ServiceMetrics
    let now: @Sendable () -> Date

    /// Issues storage credentials for the caller's prefixes. Account and device were read when the caller was
    /// authenticated. Makes no other store request unless the limit is near, except one write for each account, process
    /// and six hours: that the account's stored bytes may change. If uploads are reserved, the credentials cannot write
    /// photos.
    ///
    /// On a bucket, over the limit: they write the catalog and the profile alone, as briefly as the token service can; nothing
    /// once those take more than `BookkeepingAllowance` at this moment. That costs a read and two listings. Near the limit
    /// they last 15 minutes.
    package func issueCredentials(_ caller: Caller) async throws(ServiceError) -> StorageCredentials {
        let start = now()
        let account = try await usageService.recountedNearLimit(caller.account)
        guard let own = tiers.storageAccess(of: account.value) else { throw .sessionEnded }
        let isOver = own == .readDelete && !usage.isMetered
        let access = policy.reservesUploads ? own.narrowed(to: .readDelete) : own
        let mayRecord = isOver ? try await mayRecord(caller.user, countedSince: start) : true
        var issued = try await issue(
            access, to: caller, for: isOver ? lifetimeOverLimit : lifetime(account.value), mayRecord: mayRecord)
        metrics.increment(ServiceMetric.credentialsIssued, [issued.access.rawValue])
        if !mayRecord { issued = issued.withholdingRecordWrites }
        return policy.reservesUploads ? issued.reservingUploads : issued
    }

    /// Issues credentials of the caller's session with this access level.
    /// - Parameter lifetime: the lifetime in seconds; credentials never outlive the session.
    func issue(
        _ access: StorageAccessLevel, to caller: Caller, for lifetime: TimeInterval, mayRecord: Bool = true
    ) async throws(ServiceError) -> StorageCredentials {
        let end = min(now().addingTimeInterval(lifetime), caller.session.expiresAt)
        let grant = StorageGrant(
            user: caller.user, device: caller.device.value.id, session: caller.session.id, access: access,
            mayRecord: mayRecord, expiresAt: end, latestEnd: caller.session.expiresAt)
        let issued = try await mapServiceErrors {
            let issued = try await credentials.issue(grant)
            if access != .read { try await usage.recordChange(of: caller.user, until: issued.expiration) }
            return issued
        }
        scheduleFirstCount(of: caller, access)
        return issued
    }

    /// How long a removed or signed-out device can still reach the store with issued credentials or links, in seconds;
    /// 0 if the store checks the session on each request.
    package var storageAccessAfterRemoval: TimeInterval {
        if credentials.endsWithSession { return 0 }
        return max(
            policy.credentialLifetime, PresignedURLValidity.maximumDuration,
            min(policy.uploadAddressLifetime, credentials.maximumUploadLifetime))
    }

    /// Returns the access level of the caller in the store.
    func access(of caller: Caller) throws(ServiceError) -> StorageAccessLevel {
        guard let access = tiers.storageAccess(of: caller.account.value) else { throw .sessionEnded }
        return access
    }

    /// How long credentials last over the limit on a bucket, in seconds.
    private var lifetimeOverLimit: TimeInterval { min(policy.credentialLifetime, credentials.minimumLifetime) }

    /// How long credentials last within the limit, in seconds.
    private func lifetime(_ account: AccountDocument) -> TimeInterval {
        let level = QuotaLevel(account.storedBytes ?? 0, of: tiers.storageLimit(of: account))
        guard level != .roomy, !usage.isMetered else { return policy.credentialLifetime }
        return min(policy.credentialLifetime, Self.lifetimeNearLimit)
    }

    /// How long credentials near the limit last on a bucket, in seconds: the shortest session of a token service.
    private static var lifetimeNearLimit: TimeInterval { 900 }

    /// Whether an account over its limit may still write its catalog and profile. The two are counted now, unless all was
    /// counted since `start`.
    private func mayRecord(_ user: UserID, countedSince start: Date) async throws(ServiceError) -> Bool {
        try await mapServiceErrors {
            guard var last = try await usage.last(of: user) else { return true }
            if last.countedAt < start { last = try await usage.recountingRecords(of: last, of: user) }
            return BookkeepingAllowance.permits(last)
        }
    }

    /// Schedules a first count for an account without stored bytes whose credentials can write.
    private func scheduleFirstCount(of caller: Caller, _ access: StorageAccessLevel) {
        guard !usage.isMetered, access != .read, caller.account.value.storedBytes ?? 0 == 0 else { return }
        usage.firstCountSchedule.add(caller.user, at: now())
    }
}
