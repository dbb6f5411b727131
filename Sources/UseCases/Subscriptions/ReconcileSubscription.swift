import Accounts
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Subscriptions

/// Applies the records of subscriptions to accounts.
package struct SubscriptionReconciler: Sendable {
    private let accounts: AccountDirectory
    private let subscriptions: SubscriptionServices
    private let tiers: Tiers
    private let logger: Logger

    package init(
        accounts: AccountDirectory, subscriptions: SubscriptionServices, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.accounts = accounts
        self.subscriptions = subscriptions
        tiers = Tiers(plan: subscriptions.plan, now: now)
        self.logger = logger
    }

    /// Applies a record to its previous owner's account first and then to its owner's, so that the subscription never
    /// counts twice. Idempotent; an interrupted change is completed by the next notification or by the daily job.
    package func reconcile(_ record: SubscriptionDocument) async throws(ServiceError) {
        if let previous = record.previousOwner { try await apply(record, of: previous) }
        if let owner = record.owner { try await apply(record, of: owner) }
    }

    /// Applies a record and returns the resulting subscription of the caller, who owns it.
    func reconcile(_ record: SubscriptionDocument, for caller: Caller) async throws(ServiceError) -> Subscription {
        if let previous = record.previousOwner, previous != caller.user { try await apply(record, of: previous) }
        let account = try await mapServiceErrors { try await apply(record, in: caller.account) }
        await setAccountToken(record)
        return tiers.subscription(of: account.value)
    }

    /// Records in an account what a subscription gives it. One read, and one write if it changed.
    func apply(_ record: SubscriptionDocument, of user: UserID) async throws(ServiceError) {
        try await mapServiceErrors {
            guard let account = try await accounts.account(user), account.value.isUsable else { return }
            _ = try await apply(record, in: account)
        }
    }

    private func apply(
        _ record: SubscriptionDocument, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let given = AccountSubscription(record, for: account.value.serviceUserID)
        return try await accounts.record(given, of: account, allowance: { tiers.allowance(of: $0) })
    }

    /// Sets the account's id in future transactions at Apple's server if they name no account or another one. A failure
    /// is retried by the daily job.
    func setAccountToken(_ record: SubscriptionDocument) async {
        guard let server = subscriptions.server, let owner = record.owner, record.announcedToken != owner,
            record.history.accountToken != owner.uuid, !record.entitlement.isFamilyShared
        else { return }
        do {
            try await server.setAccountToken(owner, of: record.id)
            try await subscriptions.records.recordAccountToken(owner, of: record.id)
        } catch {
            logger.warning("setting a subscription's account token at Apple failed", metadata: ["reason": "\(error)"])
        }
    }
}

extension Services {
    var reconciler: SubscriptionReconciler {
        SubscriptionReconciler(accounts: accounts, subscriptions: subscriptions, now: now, logger: logger)
    }
}

extension AccountSubscription {
    /// Creates the account's view of a subscription record.
    init(_ record: SubscriptionDocument, for user: UserID) {
        let id = "\(record.id.environment.rawValue.lowercased())/\(record.id.originalTransactionID)"
        guard record.owner == user, let product = record.entitlement.productID else {
            self.init(movedAway: id, revision: record.revision)
            return
        }
        let entitlement = record.entitlement
        self.init(
            id: id, revision: record.revision,
            periods: entitlement.periods.map {
                Period(productID: $0.productID, startsAt: $0.startsAt, endsAt: $0.endsAt)
            },
            productID: product, expiresAt: entitlement.expiresAt, isRevoked: entitlement.isRevoked,
            isFamilyShared: entitlement.isFamilyShared, isInBillingRetry: entitlement.isInBillingRetry,
            willRenew: entitlement.willRenew, nextProductID: entitlement.nextProductID
        )
    }

    /// The record that this value was copied from.
    var record: SubscriptionID? {
        let parts = id.split(separator: "/")
        guard parts.count == 2,
            let environment = AppStoreEnvironment.allCases.first(where: { $0.rawValue.lowercased() == parts[0] })
        else { return nil }
        return SubscriptionID(environment, String(parts[1]))
    }
}
