import Foundation

/// What an account may store, and where that comes from.
public struct Subscription: Codable, Sendable, Equatable {
    /// The tier that holds now.
    public let tier: Tier
    /// Bytes that the tier allows.
    public let storageLimit: Int64
    /// The App Store's subscription that gives the tier, or else the one that ended last; left out where there is none.
    public let appStore: AppStoreSubscription?
    /// When the free trial that gives the tier ends; left out where none does.
    public let trialEndsAt: Date?

    /// Shows a subscription.
    public init(
        tier: Tier, storageLimit: Int64, appStore: AppStoreSubscription? = nil, trialEndsAt: Date? = nil
    ) {
        self.tier = tier
        self.storageLimit = storageLimit
        self.appStore = appStore
        self.trialEndsAt = trialEndsAt
    }
}

/// An auto-renewable subscription of the App Store's.
public struct AppStoreSubscription: Codable, Sendable, Equatable {
    /// Apple's id of the first purchase, which all renewals share.
    public let originalTransactionID: String
    /// The product bought last.
    public let productID: String
    /// Where it stands now.
    public let status: SubscriptionStatus
    /// When the last purchase is paid to.
    public let expiresAt: Date
    /// When what it gives ends, unless it is renewed: later than `expiresAt` in a grace period. Left out where it gives
    /// nothing at any time, as after a refund of its only purchase.
    public let endsAt: Date?
    /// Whether it renews by itself; left out while Apple has not said so.
    public let willRenew: Bool?
    /// The tier after the next renewal, where that is another one.
    public let nextTier: Tier?
    /// Whether somebody else of the family bought it.
    public let isFamilyShared: Bool

    /// Shows a subscription.
    public init(
        originalTransactionID: String, productID: String, status: SubscriptionStatus, expiresAt: Date, endsAt: Date?,
        willRenew: Bool?, nextTier: Tier?, isFamilyShared: Bool
    ) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.status = status
        self.expiresAt = expiresAt
        self.endsAt = endsAt
        self.willRenew = willRenew
        self.nextTier = nextTier
        self.isFamilyShared = isFamilyShared
    }
}

/// Where a subscription stands. The set may grow.
public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Names a status.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    /// Paid, and served.
    public static let active = SubscriptionStatus(rawValue: "active")
    /// The last charge failed; it is served while Apple tries again.
    public static let gracePeriod = SubscriptionStatus(rawValue: "grace_period")
    /// The last charge failed; it is not served while Apple tries again.
    public static let billingRetry = SubscriptionStatus(rawValue: "billing_retry")
    /// Over.
    public static let expired = SubscriptionStatus(rawValue: "expired")
    /// Refunded, or no longer shared by the family.
    public static let revoked = SubscriptionStatus(rawValue: "revoked")
}

/// Body of `POST /subscriptions/app-store`.
public struct AppStorePurchase: Codable, Sendable, Equatable {
    /// The transaction as StoreKit 2 gives it (`jwsRepresentation`).
    public let signedTransaction: String

    /// Presents a purchase.
    public init(signedTransaction: String) { self.signedTransaction = signedTransaction }
}

/// Body of `POST /subscriptions/app-store/move-ticket`.
public struct MoveTicketRequest: Codable, Sendable, Equatable {
    /// Of the subscription that may go.
    public let originalTransactionID: String

    /// Asks for a ticket.
    public init(originalTransactionID: String) { self.originalTransactionID = originalTransactionID }
}

/// Answer of `POST /subscriptions/app-store/move-ticket`.
public struct MoveTicketAnswer: Codable, Sendable, Equatable {
    /// For the other account; good for one move.
    public let moveTicket: String
    /// When it ends.
    public let expiresAt: Date

    /// Gives a ticket.
    public init(moveTicket: String, expiresAt: Date) {
        self.moveTicket = moveTicket
        self.expiresAt = expiresAt
    }
}

/// Body of `POST /subscriptions/app-store/move`: one of the two.
public struct MoveRequest: Codable, Sendable, Equatable {
    /// From the account that has the subscription.
    public let moveTicket: String?
    /// A transaction that Apple signed in the last 10 minutes.
    public let signedTransaction: String?

    /// Moves a subscription here by its account's word, or by the buyer's fresh transaction.
    public init(moveTicket: String? = nil, signedTransaction: String? = nil) {
        self.moveTicket = moveTicket
        self.signedTransaction = signedTransaction
    }
}

/// Answer of `POST /auth/forgotten-provider`.
public struct ForgottenProvider: Codable, Sendable, Equatable {
    /// How the account that the purchase names is opened; none when nothing may be told.
    public let hints: [AccountHint]

    /// Tells hints.
    public init(hints: [AccountHint]) { self.hints = hints }
}
