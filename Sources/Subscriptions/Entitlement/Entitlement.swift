import Foundation

/// The entitlement of a subscription, derived from its history alone. It needs no clock: its periods have start and
/// end.
package struct Entitlement: Sendable, Equatable {
    /// A time for which a product is paid, or available in a grace period.
    package struct Period: Sendable, Equatable {
        package let productID: String
        package let startsAt: Date
        package let endsAt: Date
    }

    /// The most periods that are kept: the current one, the previous one, and one paid in advance.
    static let maximumPeriods = 3

    /// The periods, the newest first. They do not overlap, so durations never add up: each ends where the next purchase
    /// begins, even if that purchase was refunded.
    package let periods: [Period]
    /// The product of the newest purchase.
    package let productID: String?
    /// When the newest purchase expires; a grace period may extend the entitlement.
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
