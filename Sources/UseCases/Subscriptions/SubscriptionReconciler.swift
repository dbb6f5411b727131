import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import Subscriptions

/// Reconciles the entitlements of accounts with the records of subscriptions.
package struct SubscriptionReconciler: Sendable {
    private let accounts: AccountDirectory
    private let subscriptions: SubscriptionComponents
    private let tiers: Tiers
    private let logger: Logger

    package init(
        accounts: AccountDirectory, subscriptions: SubscriptionComponents, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.accounts = accounts
        self.subscriptions = subscriptions
        tiers = Tiers(plan: subscriptions.plan, now: now)
        self.logger = logger
    }

    /// Records an entitlement in its previous owner's account first and then in its owner's, so that the subscription
    /// never counts twice. Idempotent; an interrupted change is completed by the next notification or by the daily job.
    func reconcileEntitlement(
        _ record: SubscriptionDocument, in accounts: InvolvedAccounts
    ) async throws(ServiceError) {
        if let previous = record.previousOwner { try await recordEntitlement(record, of: previous, in: accounts) }
        if let owner = record.owner { try await recordEntitlement(record, of: owner, in: accounts) }
    }

    /// Applies facts from Apple's server to a subscription's record, and reconciles its entitlement.
    package func apply(_ facts: SubscriptionFacts, of id: SubscriptionID) async throws(ServiceError) {
        let involved = InvolvedAccounts(accounts)
        let record = try await mapServiceErrors {
            try await subscriptions.records.apply(facts, of: id, in: involved)
        }
        try await reconcileEntitlement(record, in: involved)
    }

    /// Reconciles the entitlement of a record and returns the resulting subscription of the caller, who owns it.
    /// - Parameter accounts: know the caller's account as it was last written.
    func reconcileEntitlement(
        _ record: SubscriptionDocument, for caller: Caller, in accounts: InvolvedAccounts
    ) async throws(ServiceError) -> Subscription {
        if let previous = record.previousOwner, previous != caller.user {
            try await recordEntitlement(record, of: previous, in: accounts)
        }
        let account = try await mapServiceErrors {
            do throws(AccountError) {
                return try await recordEntitlement(
                    record, in: try await accounts.account(caller.user) ?? caller.account)
            } catch {
                if error == .accountNotUsable { try await forget(caller.user, in: record) }
                throw error
            }
        }
        await setAccountToken(record, in: accounts)
        return tiers.subscription(of: account.value)
    }

    /// Records in an account what a subscription gives it. One read unless the account is known, and one write if it
    /// changed.
    private func recordEntitlement(
        _ record: SubscriptionDocument, of user: UserID, in accounts: InvolvedAccounts
    ) async throws(ServiceError) {
        try await mapServiceErrors {
            guard let account = try await accounts.account(user), account.value.isUsable else {
                return try await forget(user, in: record)
            }
            do throws(AccountError) {
                await accounts.update(try await recordEntitlement(record, in: account))
            } catch .accountNotUsable {
                try await forget(user, in: record)
            }
        }
    }

    /// Removes a deleted account from a record that was bound to it while it was deleted. Two reads, and one write if it
    /// was.
    private func forget(_ user: UserID, in record: SubscriptionDocument) async throws {
        if try await accounts.account(user)?.value.state != .deleted {
            guard try await accounts.erasures.entry(of: user) != nil else { return }
        }
        try await subscriptions.records.removeAccount(user, from: record.id)
    }

    private func recordEntitlement(
        _ record: SubscriptionDocument, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let accountSubscription = AccountSubscription(record, for: account.value.serviceUserID)
        return try await accounts.record(accountSubscription, of: account, allowance: { tiers.allowance(of: $0) })
    }

    /// Reconciles an account's subscriptions with their records and completes interrupted changes. One read for each
    /// subscription.
    func reconcileEntitlements(of account: Stored<AccountDocument>) async throws(ServiceError) {
        let involved = InvolvedAccounts(accounts, account)
        for subscription in account.value.subscriptions ?? [] {
            guard let id = subscription.record,
                let record = try await mapServiceErrors({ try await subscriptions.records.record(id) })
            else { continue }
            if record.revision != subscription.revision {
                // Earlier previous owners, and accounts that only a transaction names, are updated only here.
                try await recordEntitlement(record, of: account.value.serviceUserID, in: involved)
                try await reconcileEntitlement(record, in: involved)
            }
            if record.owner == account.value.serviceUserID { await setAccountToken(record, in: involved) }
        }
    }

    /// Sets the account's id in future transactions at Apple's server if they name no account or another one. A failure
    /// is retried by the daily job.
    private func setAccountToken(_ record: SubscriptionDocument, in accounts: InvolvedAccounts) async {
        guard let server = subscriptions.server, let owner = record.owner, record.announcedToken != owner,
            record.history.accountToken != owner.uuid, !record.entitlement.isFamilyShared
        else { return }
        do {
            try await server.setAccountToken(owner, of: record.id)
            try await subscriptions.records.recordAccountToken(owner, of: record.id, in: accounts)
        } catch {
            logger.warning(
                .subscriptionTokenFailed, "setting a subscription's account token at Apple failed",
                metadata: ["reason": "\(error)"])
        }
    }
}

extension AccountSubscription {
    /// Creates the account's view of a subscription record.
    init(_ record: SubscriptionDocument, for user: UserID) {
        guard record.owner == user, let product = record.entitlement.productID else {
            self.init(movedAway: record.id.listed, revision: record.revision)
            return
        }
        let entitlement = record.entitlement
        self.init(
            id: record.id.listed, revision: record.revision,
            periods: entitlement.periods.map {
                Period(productID: $0.productID, startsAt: $0.startsAt, endsAt: $0.endsAt)
            },
            productID: product, expiresAt: entitlement.expiresAt, isRevoked: entitlement.isRevoked,
            isFamilyShared: entitlement.isFamilyShared, isInBillingRetry: entitlement.isInBillingRetry,
            willRenew: entitlement.willRenew, nextProductID: entitlement.nextProductID
        )
    }

    /// The record that this value was copied from.
    var record: SubscriptionID? { SubscriptionID(listed: id) }
}
