import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import Subscriptions

/// Binds App Store subscriptions to accounts.
package struct SubscriptionService: Sendable {
    let accounts: AccountDirectory
    let subscriptions: SubscriptionComponents
    let reconciler: SubscriptionReconciler
    let sensitiveActions: SensitiveActionPolicy
    let store: any ObjectStore
    let now: @Sendable () -> Date
    let logger: Logger

    /// Whether this deployment accepts purchases.
    package var acceptsPurchases: Bool { subscriptions.verifier != nil }

    /// Verifies a purchase that the caller's device presents, binds the subscription to the account if it has no owner,
    /// and records the entitlement. Presenting it again changes nothing.
    ///
    /// Two reads (record, audit entry) and four writes (account, record, account, audit entry) for a new purchase. With
    /// a key for Apple's server one request to it, and a second one if the buyer named no account.
    package func bindPurchase(_ purchase: AppStorePurchase, caller: Caller) async throws(ServiceError)
        -> Subscription
    {
        let transaction = try await verifyTransaction(purchase.signedTransaction)
        // Transactions of a subscription that was moved here still name the account that bought it.
        let own = (caller.account.value.subscriptions ?? []).filter { !$0.isMovedAway }.compactMap(\.record)
        let isOwn = own.contains(transaction.originalID)
        let involved = InvolvedAccounts(accounts, caller.account)
        if !isOwn { try await requireNoOtherAccount(transaction.accountToken, than: caller.user, in: involved) }
        let facts = await currentFacts(of: transaction.originalID)
        if !isOwn {
            // The presented transaction may be older than the one in which the buyer named an account.
            let newest = facts?.transactions.filter { $0.originalID == transaction.originalID }
                .max { $0.purchasedAt < $1.purchasedAt }
            try await requireNoOtherAccount(newest?.accountToken, than: caller.user, in: involved)
        }
        let record = try await mapServiceErrors {
            try await subscriptions.records.bind(transaction, facts, to: caller.user, in: involved)
        }
        return try await reconciler.reconcileEntitlement(record, for: caller, in: involved)
    }

    /// Verifies a transaction that Apple signed for a known product.
    func verifyTransaction(_ signed: String) async throws(ServiceError) -> AppStoreTransaction {
        guard let verifier = subscriptions.verifier else { throw .purchasesNotConfigured }
        let transaction: AppStoreTransaction
        do {
            transaction = try await verifier.transaction(signed)
        } catch {
            if case .unavailable(let reason) = error { throw .unavailable(reason) }
            throw .invalidTransaction(error)
        }
        guard subscriptions.plan.tier(of: transaction.productID) != nil else {
            throw .unknownProduct(transaction.productID)
        }
        return transaction
    }

    /// Refuses a purchase whose buyer named another account, while that account exists.
    func requireNoOtherAccount(
        _ token: UUID?, than user: UserID, in accounts: InvolvedAccounts
    ) async throws(ServiceError) {
        guard let token, token != user.uuid else { return }
        let exists = try await mapServiceErrors { try await accounts.isUsable(UserID(uuid: token)) }
        guard !exists else { throw .subscriptionOwnedByOther }
    }

    /// Fetches Apple's current facts about a subscription, because a transaction from a device may have been refunded
    /// since. Without an answer the transaction itself counts, and notifications add the rest later.
    private func currentFacts(of id: SubscriptionID) async -> SubscriptionFacts? {
        guard let server = subscriptions.server else { return nil }
        do {
            return try await server.status(of: id)
        } catch {
            logger.warning(
                .subscriptionStatusFailed, "subscription status request to Apple failed",
                metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Returns the providers of the account that a freshly signed purchase pays for, to help its owner sign in. Opens
    /// no session. Two reads.
    package func findProvider(by purchase: AppStorePurchase) async throws(ServiceError) -> ForgottenProvider {
        let transaction = try await verifyTransaction(purchase.signedTransaction)
        try requireRecentTransaction(transaction)
        return try await mapServiceErrors {
            let record = try await subscriptions.records.record(transaction.originalID)
            guard let user = record?.owner ?? transaction.accountToken.map(UserID.init(uuid:)),
                let account = try await accounts.usableAccount(user)
            else { return ForgottenProvider(hints: []) }
            return ForgottenProvider(hints: account.value.disclosableProviders.map(AccountHint.init))
        }
    }
}
