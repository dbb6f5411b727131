import Accounts
import Foundation
import PhotolalaAPI
import StorageAccess
import Subscriptions

/// Derives an account's tier from its subscriptions and its trial.
package struct Tiers: Sendable {
    let plan: TierPlan
    let now: @Sendable () -> Date

    package init(plan: TierPlan, now: @escaping @Sendable () -> Date) {
        self.plan = plan
        self.now = now
    }

    /// Returns the current tier of an account: the largest that its subscriptions and its trial give.
    package func tier(of account: AccountDocument) -> Tier {
        let time = now()
        var tier = Tier.free
        if let trial = account.trial, time < trial.endsAt { tier = plan.larger(tier, trial.tier) }
        for subscription in account.subscriptions ?? [] {
            tier = plan.larger(tier, self.tier(of: subscription, at: time))
        }
        return tier
    }

    /// Returns the bytes that an account may store now.
    func storageLimit(of account: AccountDocument) -> Int64 { plan.storageLimit(of: tier(of: account)) }

    /// Returns the current tier and storage limit of an account.
    func allowance(of account: AccountDocument) -> StorageAllowance {
        let tier = tier(of: account)
        return StorageAllowance(tier: tier, bytes: plan.storageLimit(of: tier))
    }

    /// Returns the access level of new storage credentials of an account, or `nil` if it gets none.
    func storageAccess(of account: AccountDocument) -> StorageAccessLevel? {
        account.storageAccess(within: storageLimit(of: account))
    }

    /// Returns an account's tier and its source.
    func subscription(of account: AccountDocument) -> Subscription {
        let (time, tier) = (now(), tier(of: account))
        let own = (account.subscriptions ?? []).filter { !$0.isMovedAway }
        let shown = own.first { self.tier(of: $0, at: time) == tier && $0.period(at: time) != nil } ?? own.first
        let isTrial = account.trial.map { time < $0.endsAt && $0.tier == tier } ?? false
        let isPaid = shown.map { self.tier(of: $0, at: time) == tier } ?? false
        return Subscription(
            tier: tier, storageLimit: plan.storageLimit(of: tier),
            appStore: shown.flatMap { show($0, at: time) },
            trialEndsAt: isTrial && !isPaid ? account.trial?.endsAt : nil
        )
    }

    /// Returns the subscriptions that Apple goes on billing, as far as it has reported.
    func renewingSubscriptions(of account: AccountDocument) -> [AppStoreSubscription] {
        let time = now()
        return (account.subscriptions ?? []).filter { !$0.isMovedAway && $0.willRenew != false && !$0.isFamilyShared }
            .compactMap { show($0, at: time) }
            .filter { $0.status != .expired && $0.status != .revoked }
    }

    private func tier(of subscription: AccountSubscription, at time: Date) -> Tier {
        subscription.period(at: time).flatMap { plan.tier(of: $0.productID) } ?? .free
    }

    private func show(_ subscription: AccountSubscription, at time: Date) -> AppStoreSubscription? {
        guard let product = subscription.productID, let expiresAt = subscription.expiresAt,
            let id = subscription.id.split(separator: "/").last
        else { return nil }
        let nextTier = subscription.nextProductID.flatMap { plan.tier(of: $0) }
        let isOther = subscription.nextProductID != product && subscription.willRenew == true
        let ends = [subscription.period(at: time)?.endsAt, subscription.endsAt.map { min(expiresAt, $0) }]
        return AppStoreSubscription(
            originalTransactionID: String(id), productID: product, status: status(of: subscription, at: time),
            expiresAt: expiresAt, endsAt: ends.compactMap(\.self).max(), willRenew: subscription.willRenew,
            nextTier: isOther ? nextTier : nil, isFamilyShared: subscription.isFamilyShared
        )
    }

    private func status(of subscription: AccountSubscription, at time: Date) -> SubscriptionStatus {
        if let period = subscription.period(at: time) {
            return time < subscription.expiresAt ?? period.endsAt ? .active : .gracePeriod
        }
        if subscription.isRevoked { return .revoked }
        return subscription.isInBillingRetry ? .billingRetry : .expired
    }
}
