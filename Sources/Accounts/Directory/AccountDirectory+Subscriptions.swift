import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Notes what a subscription gives, unless a later word of its record is known. One write, when something changes.
    /// - Parameter tier: the tier that an account has at this moment.
    package func note(
        _ subscription: AccountSubscription, of account: Stored<AccountDocument>,
        tier: @Sendable (AccountDocument) -> Tier
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            let isNews = document.take(subscription)
            try noteTier(of: &document, tier, isNews: isNews)
        }
    }

    /// Notes what the last count came to, and the tier, where time has changed it. One write, when something changes.
    package func noteCount(
        _ bytes: Int64, of account: Stored<AccountDocument>, tier: @Sendable (AccountDocument) -> Tier
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            document.storedBytes = bytes
            try noteTier(of: &document, tier, isNews: false)
        }
    }

    private func noteTier(
        of document: inout AccountDocument, _ tier: @Sendable (AccountDocument) -> Tier, isNews: Bool
    ) throws(AccountError) {
        let current = tier(document)
        guard isNews || current != document.tier else { return }
        document.tier = current
        try document.audit.append(.init(act: .subscriptionChanged, actor: .service, tier: current, at: now()))
    }
}

extension AccountDocument {
    /// - Returns: whether it gives something else than was known.
    fileprivate mutating func take(_ subscription: AccountSubscription) -> Bool {
        var all = subscriptions ?? []
        let known = all.first { $0.id == subscription.id }
        guard known.map({ $0.revision < subscription.revision }) ?? !subscription.isMovedAway else { return false }
        all.removeAll { $0.id == subscription.id }
        all.append(subscription)
        all.sort { ($0.endsAt, $0.id) > ($1.endsAt, $1.id) }
        subscriptions = Array(all.prefix(AccountSubscription.maximum))
        return true
    }
}
