import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Notes what a subscription gives, unless a later word of its record is known. One write, when something changes.
    /// - Parameter allowance: what an account may store at this moment.
    package func note(
        _ subscription: AccountSubscription, of account: Stored<AccountDocument>,
        allowance: @Sendable (AccountDocument) -> StorageAllowance
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            let isNews = document.take(subscription)
            try noteStanding(of: &document, allowance(document), isNews: isNews)
        }
    }

    /// Notes what the last count came to, and the tier, where time has changed it. One write, when something changes.
    /// - Parameters:
    ///   - time: of the count. One from before the last that was noted says nothing.
    ///   - isKept: whether its time is to be noted even if it came to the same.
    package func noteCount(
        _ bytes: Int64, at time: Date, keepingTime isKept: Bool = false, of account: Stored<AccountDocument>,
        allowance: @Sendable (AccountDocument) -> StorageAllowance
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            // Dates are stored in whole seconds.
            let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
            // A count of later was dated by a clock that is ahead, and gives way.
            let isNews = document.bytesCountedAt.map { time >= $0 || $0 > now().addingTimeInterval(60) } ?? true
            // Who never stored anything is not written for that.
            if isNews, isKept || bytes != document.storedBytes ?? 0 {
                (document.storedBytes, document.bytesCountedAt) = (bytes, time)
            }
            try noteStanding(of: &document, allowance(document), isNews: false)
        }
    }

    /// Tells of a new tier, and of a limit that comes near or is passed; not of one that is far again.
    private func noteStanding(
        of document: inout AccountDocument, _ allowance: StorageAllowance, isNews: Bool
    ) throws(AccountError) {
        if isNews || allowance.tier != document.tier {
            document.tier = allowance.tier
            try document.audit.append(
                .init(act: .subscriptionChanged, actor: .service, tier: allowance.tier, at: now()))
        }
        let level = QuotaLevel(document.storedBytes ?? 0, of: allowance.bytes)
        let before = document.quotaLevel ?? .roomy
        guard level != before else { return }
        document.quotaLevel = level
        guard level > before else { return }
        let act: AuditAct = level == .exceeded ? .quotaExceeded : .quotaNearLimit
        try document.audit.append(.init(act: act, actor: .service, tier: allowance.tier, at: now()))
    }
}

/// What an account may store at one moment.
package struct StorageAllowance: Sendable, Equatable {
    package let tier: Tier
    package let bytes: Int64

    package init(tier: Tier, bytes: Int64) {
        self.tier = tier
        self.bytes = bytes
    }
}

extension AccountDocument {
    /// - Returns: whether it gives something else than was known.
    fileprivate mutating func take(_ subscription: AccountSubscription) -> Bool {
        var all = subscriptions ?? []
        let known = all.first { $0.id == subscription.id }
        guard known.map({ $0.revision < subscription.revision }) ?? true else { return false }
        all.removeAll { $0.id == subscription.id }
        all.append(subscription)
        // One without any period gives nothing, and is the first to be dropped.
        all.sort { ($0.endsAt ?? .distantPast, $0.id) > ($1.endsAt ?? .distantPast, $1.id) }
        // That one went away is kept too: an earlier word that comes late must not bring it back.
        let (here, gone) = (all.filter { !$0.isMovedAway }, all.filter(\.isMovedAway))
        let most = AccountSubscription.maximum
        subscriptions = Array(here.prefix(most)) + Array(gone.prefix(most))
        return known != nil || !subscription.isMovedAway
    }
}
