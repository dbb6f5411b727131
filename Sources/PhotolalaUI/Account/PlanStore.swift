import Foundation
import PhotolalaClient

/// The plans that the app sells: `StoreKitPlanStore` on Apple platforms.
public protocol PlanStore: Sendable {
    /// Returns the plans in display order.
    func plans() async throws -> [Plan]

    /// Shows the purchase of a plan.
    /// - Parameter user: The account; pass its UUID as `appAccountToken`.
    /// - Throws: Any error; the screen shows its description.
    @MainActor
    func purchase(_ plan: Plan, for user: UserID) async throws -> PlanPurchaseResult

    /// Returns the transactions that are not finished: `Transaction.unfinished`.
    func unfinishedPurchases() async -> [PlanPurchase]

    /// Asks the App Store for the person's current purchases: `AppStore.sync()`, then `Transaction.currentEntitlements`.
    @MainActor
    func restoredPurchases() async throws -> [PlanPurchase]
}

/// A plan that the app sells.
public struct Plan: Sendable, Equatable, Identifiable {
    /// The product ID.
    public let id: String
    /// The tier that the server gives for the product.
    public let tier: Tier
    /// The price with its period, in the person's language.
    public let price: String

    /// Creates a plan.
    public init(id: String, tier: Tier, price: String) {
        self.id = id
        self.tier = tier
        self.price = price
    }
}

/// A transaction that the App Store has delivered. The SDK finishes it once the server has accepted it.
public struct PlanPurchase: Sendable, Equatable, Identifiable {
    /// The transaction's ID.
    public let id: String
    /// The transaction to present.
    public let signed: SignedPurchase

    /// The ID of the subscription's first transaction, which its renewals share.
    public let originalID: String

    /// Creates a purchase.
    /// - Parameter originalID: The original transaction's ID; by default, the transaction is the first one.
    public init(id: String, originalID: String? = nil, signed: SignedPurchase) {
        self.id = id
        self.originalID = originalID ?? id
        self.signed = signed
    }

    func isSameSubscription(as other: PlanPurchase) -> Bool { originalID == other.originalID }

    /// Returns whether both are the same transaction.
    public static func == (left: PlanPurchase, right: PlanPurchase) -> Bool { left.id == right.id }
}

/// The result of showing a purchase.
public enum PlanPurchaseResult: Sendable, Equatable {
    /// The person bought the plan.
    case purchased(PlanPurchase)
    /// The purchase waits, for example for a parent's approval.
    case pending
    /// The person closed it.
    case cancelled
}

/// The pages that App Review requires beside an offer of subscriptions (guideline 3.1.2).
public struct PlanTerms: Sendable, Equatable {
    /// The terms of use, for example Apple's standard agreement.
    public let termsOfUse: URL
    /// The privacy policy.
    public let privacyPolicy: URL

    /// Creates the terms.
    public init(termsOfUse: URL, privacyPolicy: URL) {
        (self.termsOfUse, self.privacyPolicy) = (termsOfUse, privacyPolicy)
    }
}
