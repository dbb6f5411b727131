import Foundation
import PhotolalaAPI

/// Buys a product in the system's sheet: StoreKit's `Product`, or a double in tests.
public protocol PurchaseSheet: Sendable {
    /// Buys the product.
    /// - Parameter account: The value for StoreKit's `appAccountToken`, which names the account in the signed transaction.
    /// - Returns: `nil` if the user cancelled, or if another person must approve the purchase first.
    func buy(for account: UUID) async throws(PhotolalaError) -> SignedPurchase?
}

/// A transaction that StoreKit has delivered and the app has not finished.
public struct SignedPurchase: Sendable {
    /// The `jwsRepresentation`, verified or not: the server verifies it.
    public let signedTransaction: String
    let finish: @Sendable () async -> Void

    /// Creates a purchase.
    /// - Parameter finish: Tells the App Store that the purchase was delivered.
    public init(signedTransaction: String, finish: @escaping @Sendable () async -> Void) {
        self.signedTransaction = signedTransaction
        self.finish = finish
    }
}

extension PhotolalaSession {
    /// Buys a product for the signed-in account and presents the transaction to the server.
    /// - Returns: The account's subscription; `nil` if the user cancelled, or if another person must approve the purchase first:
    ///   then StoreKit delivers it later, and ``present(_:)`` presents it.
    /// - Throws: The errors of ``presentPurchase(signedTransaction:)`` and of the sheet; `notSignedIn` if the account was
    ///   signed out in the meantime: then StoreKit delivers the transaction again.
    @discardableResult
    public func purchase(_ sheet: any PurchaseSheet) async throws(PhotolalaError) -> Subscription? {
        guard let user = try signedInUserID() else { throw .notSignedIn }
        guard let bought = try await sheet.buy(for: user.uuid) else { return nil }
        return try await limited(to: user).present(bought)
    }

    /// Presents a transaction and finishes it once the server has accepted it. If that fails, StoreKit delivers it again.
    /// - Throws: The errors of ``presentPurchase(signedTransaction:)``.
    @discardableResult
    public func present(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription {
        let subscription = try await presentPurchase(signedTransaction: purchase.signedTransaction)
        await purchase.finish()
        return subscription
    }

    /// Takes over the subscription of a transaction from any account, and finishes the transaction.
    /// - Throws: The errors of ``moveSubscription(signedTransaction:)``.
    @discardableResult
    public func move(_ purchase: SignedPurchase) async throws(PhotolalaError) -> Subscription {
        let subscription = try await moveSubscription(signedTransaction: purchase.signedTransaction)
        await purchase.finish()
        return subscription
    }
}
