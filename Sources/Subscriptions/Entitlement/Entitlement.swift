import Foundation

/// What a subscription gives, made from its history alone. It needs no clock: periods say when.
package struct Entitlement: Sendable, Equatable {
    /// A time for which a product was paid, or is served without.
    package struct Period: Sendable, Equatable {
        package let productID: String
        package let startsAt: Date
        package let endsAt: Date
    }

    /// How many periods are of use: the one that runs, the one before, and one that was paid ahead.
    static let maximumPeriods = 3

    /// The newest first. No two overlap, so that nothing is added up: each ends where the next purchase begins, even if
    /// that one was refunded.
    package let periods: [Period]
    /// Of the newest purchase.
    package let productID: String?
    /// When the newest purchase is paid to; what is served may go on in a grace period.
    package let expiresAt: Date?
    package let isRevoked: Bool
    package let isFamilyShared: Bool
    package let isInBillingRetry: Bool
    package let willRenew: Bool?
    package let nextProductID: String?

    package init(_ history: SubscriptionHistory) {
        let newest = history.transactions.first
        let renewal = history.renewal
        var periods: [Period] = []
        var next: AppStoreTransaction?
        for transaction in history.transactions {
            defer { next = transaction }
            guard transaction.revokedAt == nil, !transaction.isUpgraded else { continue }
            var end = transaction.expiresAt
            if let next {
                end = min(end, next.purchasedAt)
            } else if let grace = renewal?.gracePeriodEndsAt, let renewal, renewal.signedAt >= transaction.purchasedAt {
                end = max(end, grace)
            }
            guard transaction.purchasedAt < end else { continue }
            periods.append(
                Period(
                    productID: transaction.productID, startsAt: transaction.purchasedAt.wholeSeconds,
                    endsAt: end.wholeSeconds
                ))
        }
        self.periods = Array(periods.prefix(Self.maximumPeriods))
        productID = newest?.productID
        expiresAt = newest?.expiresAt.wholeSeconds
        isRevoked = newest?.revokedAt != nil
        isFamilyShared = newest?.ownership == .familyShared
        isInBillingRetry = renewal?.isInBillingRetry ?? false
        willRenew = renewal?.willRenew
        nextProductID = renewal?.nextProductID
    }
}
