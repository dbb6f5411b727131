import Foundation

/// An account's tier and storage limit, and their source.
public struct Subscription: Codable, Sendable, Equatable {
    /// The current tier.
    public let tier: Tier
    /// The number of bytes that the tier allows.
    public let storageLimit: Int64
    /// The App Store subscription that provides the tier, or the one that ended last; omitted if there is none.
    public let appStore: AppStoreSubscription?
    /// When the free trial that provides the tier ends; omitted if there is none.
    public let trialEndsAt: Date?

    /// Creates a subscription.
    public init(
        tier: Tier, storageLimit: Int64, appStore: AppStoreSubscription? = nil, trialEndsAt: Date? = nil
    ) {
        self.tier = tier
        self.storageLimit = storageLimit
        self.appStore = appStore
        self.trialEndsAt = trialEndsAt
    }
}

/// An auto-renewable App Store subscription.
public struct AppStoreSubscription: Codable, Sendable, Equatable {
    /// Apple's ID of the first purchase, which all renewals share.
    public let originalTransactionID: String
    /// The most recently purchased product.
    public let productID: String
    /// The current status.
    public let status: SubscriptionStatus
    /// When the period paid by the last purchase ends.
    public let expiresAt: Date
    /// When the entitlement ends unless it is renewed; later than `expiresAt` in a grace period. Omitted if there is no
    /// entitlement at any time, for example after a refund of the only purchase.
    public let endsAt: Date?
    /// Whether the subscription renews automatically; omitted while Apple has not reported it.
    public let willRenew: Bool?
    /// The tier after the next renewal, if it differs.
    public let nextTier: Tier?
    /// Whether another family member bought the subscription.
    public let isFamilyShared: Bool

    /// Creates a subscription.
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

/// The status of a subscription. The set may grow.
public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Creates a status from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    /// Paid, with access.
    public static let active = SubscriptionStatus(rawValue: "active")
    /// The last charge failed. Access continues while Apple retries.
    public static let gracePeriod = SubscriptionStatus(rawValue: "grace_period")
    /// The last charge failed. Access is suspended while Apple retries.
    public static let billingRetry = SubscriptionStatus(rawValue: "billing_retry")
    /// Ended.
    public static let expired = SubscriptionStatus(rawValue: "expired")
    /// Refunded, or no longer shared by the family.
    public static let revoked = SubscriptionStatus(rawValue: "revoked")
}

/// Body of `POST /subscriptions/app-store`.
public struct AppStorePurchase: Codable, Sendable, Equatable {
    /// The signed transaction from StoreKit 2 (`jwsRepresentation`).
    public let signedTransaction: String

    /// Creates a request for a purchase.
    public init(signedTransaction: String) { self.signedTransaction = signedTransaction }
}

/// Body of `POST /subscriptions/app-store/move-ticket`.
public struct MoveTicketRequest: Codable, Sendable, Equatable {
    /// The ID of the subscription to move.
    public let originalTransactionID: String

    /// Creates a request for a move ticket.
    public init(originalTransactionID: String) { self.originalTransactionID = originalTransactionID }
}

/// Response body of `POST /subscriptions/app-store/move-ticket`.
public struct MoveTicketResponse: Codable, Sendable, Equatable {
    /// The ticket to use from the other account; valid for one move.
    public let moveTicket: String
    /// When the ticket expires.
    public let expiresAt: Date

    /// Creates a response.
    public init(moveTicket: String, expiresAt: Date) {
        self.moveTicket = moveTicket
        self.expiresAt = expiresAt
    }
}

/// Body of `POST /subscriptions/app-store/move`: exactly one of the two members.
public struct MoveRequest: Codable, Sendable, Equatable {
    /// A ticket from the account that has the subscription.
    public let moveTicket: String?
    /// A transaction that Apple signed within the last 10 minutes.
    public let signedTransaction: String?

    /// Creates a request with a ticket from the subscription's account or with the buyer's recent transaction.
    public init(moveTicket: String? = nil, signedTransaction: String? = nil) {
        self.moveTicket = moveTicket
        self.signedTransaction = signedTransaction
    }
}

/// Response body of `POST /auth/forgotten-provider`.
public struct ForgottenProvider: Codable, Sendable, Equatable {
    /// The providers that open the account that the purchase names; empty if nothing may be disclosed.
    public let hints: [AccountHint]

    /// Creates a response.
    public init(hints: [AccountHint]) { self.hints = hints }
}
