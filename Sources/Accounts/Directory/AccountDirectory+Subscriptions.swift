import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Lists a subscription whose record is about to name the account. It grants nothing before its entitlement is
    /// recorded. One write unless it is listed.
    package func list(
        _ subscription: String, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in document.list(subscription) }
    }

    /// Records what a subscription grants, unless the same or a later revision is known. One write if something
    /// changes.
    /// - Parameter allowance: what an account may store now.
    package func record(
        _ subscription: AccountSubscription, of account: Stored<AccountDocument>,
        allowance: @Sendable (AccountDocument) -> StorageAllowance
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            let isChanged = document.apply(subscription)
            try recordTierAndQuota(of: &document, allowance(document), isSubscriptionChanged: isChanged)
        }
    }

    /// Records the last storage count, and the tier if it has changed with time. One write if something changes.
    /// - Parameters:
    ///   - time: when the bytes were counted. A count older than the last recorded one is ignored.
    ///   - isKept: whether to record the time even if the count is unchanged.
    package func recordUsage(
        _ bytes: Int64, at time: Date, keepingTime isKept: Bool = false, of account: Stored<AccountDocument>,
        allowance: @Sendable (AccountDocument) -> StorageAllowance
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            // Dates are stored in whole seconds.
            let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
            // A recorded time in the future comes from a clock that was ahead, and is replaced.
            let isNewer = document.bytesCountedAt.map { time >= $0 || $0 > now().addingTimeInterval(60) } ?? true
            // An account that never stored anything is not written for a count of 0.
            if isNewer, isKept || bytes != document.storedBytes ?? 0 {
                (document.storedBytes, document.bytesCountedAt) = (bytes, time)
            }
            try recordTierAndQuota(of: &document, allowance(document), isSubscriptionChanged: false)
        }
    }

    /// Records the tier and the quota level of the last count.
    package func recordTier(
        of account: Stored<AccountDocument>, allowance: @Sendable (AccountDocument) -> StorageAllowance
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            try recordTierAndQuota(of: &document, allowance(document), isSubscriptionChanged: false)
        }
    }

    /// Appends audit events for a new tier, and for a quota level that rises; a level that falls is only stored.
    private func recordTierAndQuota(
        of document: inout AccountDocument, _ allowance: StorageAllowance, isSubscriptionChanged: Bool
    ) throws(AccountError) {
        if isSubscriptionChanged || allowance.tier != document.tier {
            document.tier = allowance.tier
            try document.audit.append(
                .init(action: .subscriptionChanged, actor: .service, tier: allowance.tier, at: now()))
        }
        let level = QuotaLevel(document.storedBytes ?? 0, of: allowance.bytes)
        let before = document.quotaLevel ?? .roomy
        guard level != before else { return }
        document.quotaLevel = level
        guard level > before else { return }
        let action: AuditAction = level == .exceeded ? .quotaExceeded : .quotaNearLimit
        try document.audit.append(.init(action: action, actor: .service, tier: allowance.tier, at: now()))
    }
}

/// What an account may store at a point in time.
package struct StorageAllowance: Sendable, Equatable {
    package let tier: Tier
    package let bytes: Int64

    package init(tier: Tier, bytes: Int64) {
        self.tier = tier
        self.bytes = bytes
    }
}

extension AccountDocument {
    fileprivate mutating func list(_ id: String) {
        let all = subscriptions ?? []
        guard !all.contains(where: { $0.id == id }) else { return }
        subscriptions = all + [AccountSubscription(movedAway: id, revision: 0)]
    }

    /// - Returns: whether the granted storage may have changed.
    fileprivate mutating func apply(_ subscription: AccountSubscription) -> Bool {
        var all = subscriptions ?? []
        let known = all.first { $0.id == subscription.id }
        guard known.map({ $0.revision < subscription.revision }) ?? true else { return false }
        all.removeAll { $0.id == subscription.id }
        all.append(subscription)
        // A subscription without a period grants nothing and comes last.
        all.sort { ($0.endsAt ?? .distantPast, $0.id) > ($1.endsAt ?? .distantPast, $1.id) }
        // All ids stay: the erasure of the account finds by them the records that name it, and an earlier revision that
        // arrives late cannot restore a subscription that moved away.
        let (owned, moved) = (all.filter { !$0.isMovedAway }, all.filter(\.isMovedAway))
        let most = AccountSubscription.maximum
        let excess = owned.dropFirst(most).map { AccountSubscription(movedAway: $0.id, revision: $0.revision) }
        subscriptions = owned.prefix(most) + excess + moved
        return known?.isMovedAway == false || !subscription.isMovedAway
    }
}
