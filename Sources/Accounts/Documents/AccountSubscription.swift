import Foundation
import PhotolalaAPI

/// What an App Store subscription grants an account, copied from the subscription's record.
package struct AccountSubscription: Codable, Sendable, Equatable {
    /// The largest number of subscriptions that grant something to an account; those that end last do.
    static let maximum = 8

    /// A period for which a product was paid, or is provided without payment.
    package struct Period: Codable, Sendable, Equatable {
        package let productID: String
        package let startsAt: Date
        package let endsAt: Date

        package init(productID: String, startsAt: Date, endsAt: Date) {
            self.productID = productID
            self.startsAt = startsAt
            self.endsAt = endsAt
        }
    }

    /// `{environment}/{originalTransactionId}`.
    package let id: String
    /// The revision of the record; a copy with an earlier revision is ignored. 0 if only the id was listed.
    package let revision: Int
    /// Newest first, without overlaps. Empty once the subscription moved to another account.
    package let periods: [Period]
    /// The product of the newest purchase.
    package let productID: String?
    /// When the paid period of the newest purchase ends.
    package let expiresAt: Date?
    package let isRevoked: Bool
    package let isFamilyShared: Bool
    package let isInBillingRetry: Bool
    package let willRenew: Bool?
    package let nextProductID: String?

    package init(
        id: String, revision: Int, periods: [Period], productID: String?, expiresAt: Date?, isRevoked: Bool,
        isFamilyShared: Bool, isInBillingRetry: Bool, willRenew: Bool?, nextProductID: String?
    ) {
        self.id = id
        self.revision = revision
        self.periods = periods
        self.productID = productID
        self.expiresAt = expiresAt
        self.isRevoked = isRevoked
        self.isFamilyShared = isFamilyShared
        self.isInBillingRetry = isInBillingRetry
        self.willRenew = willRenew
        self.nextProductID = nextProductID
    }

    /// Creates the copy for a subscription that grants the account nothing from a revision on.
    package init(movedAway id: String, revision: Int) {
        self.init(
            id: id, revision: revision, periods: [], productID: nil, expiresAt: nil, isRevoked: false,
            isFamilyShared: false, isInBillingRetry: false, willRenew: nil, nextProductID: nil
        )
    }

    /// Whether it grants the account nothing: it counts for another account, or only its id is listed.
    package var isMovedAway: Bool { productID == nil }

    /// Returns the period that contains a time. Apple's clock may be up to 5 minutes ahead of ours.
    package func period(at time: Date) -> Period? {
        periods.first { $0.startsAt.addingTimeInterval(-300) <= time && time < $0.endsAt }
    }

    /// When the last period ends; `nil` without periods, as after a refund of the only purchase.
    package var endsAt: Date? { periods.map(\.endsAt).max() }
}

/// A free trial.
package struct AccountTrial: Codable, Sendable, Equatable {
    package let tier: Tier
    package let endsAt: Date

    package init(tier: Tier, endsAt: Date) {
        self.tier = tier
        self.endsAt = endsAt
    }
}
