import Foundation
import ObjectStorage
import PhotolalaAPI

/// The records of all subscriptions, each changed by compare-and-swap.
///
/// An account that a change newly names lists the subscription before the record is written, which costs one write of
/// the account. A closed account is not named.
package struct SubscriptionRecords: Sendable {
    private let documents: Documents<SubscriptionDocument>
    private let retry: RetryPolicy
    private let now: @Sendable () -> Date

    package init(store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
        self.now = now
    }

    /// Returns the record of a subscription. One read.
    package func record(_ id: SubscriptionID) async throws(SubscriptionError) -> SubscriptionDocument? {
        do {
            return try await documents.load(Self.key(id))?.value
        } catch {
            throw .store(error)
        }
    }

    /// Applies a notification. One read, and one write if something changes.
    ///
    /// A subscription without an owner, or whose owner's account is gone, is assigned to the account that the buyer
    /// named.
    package func apply(
        _ notification: AppStoreNotification, of id: SubscriptionID, in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await update(id, in: accounts) { (record) async throws(SubscriptionError) in
            record.history.add(notification)
            guard notification.transaction?.ownership == .purchased,
                let token = notification.transaction?.accountToken, token != record.owner?.uuid
            else { return }
            if let owner = record.owner, try await accounts.isUsable(owner) { return }
            let user = UserID(uuid: token)
            guard try await accounts.isUsable(user) else { return record.remove(user) }
            record.bind(to: user, at: now())
        }
    }

    /// Applies facts from Apple's server. One read, and one write if something changes.
    package func apply(
        _ facts: SubscriptionFacts, of id: SubscriptionID, in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await update(id, in: accounts) { record in record.add(facts) }
    }

    /// Assigns a subscription without an owner to the account that presents it. One read, and one write if something
    /// changes.
    /// - Parameter facts: the current facts from Apple's server.
    /// - Throws: `ownedByOther`.
    package func bind(
        _ transaction: AppStoreTransaction, _ facts: SubscriptionFacts?, to user: UserID,
        in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await update(transaction.originalID, in: accounts) { (record) async throws(SubscriptionError) in
            if let owner = record.owner, owner != user, try await accounts.isUsable(owner) { throw .ownedByOther }
            record.history.add(transaction)
            if let facts { record.add(facts) }
            // The buyer named an account that does not exist any more.
            if let token = transaction.accountToken, token != user.uuid { record.history.removeAccountToken(token) }
            record.bind(to: user, at: now())
        }
    }

    /// Moves a subscription to another account, regardless of its owner, authorized by its signed transaction.
    package func move(
        _ transaction: AppStoreTransaction, to user: UserID, in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await update(transaction.originalID, in: accounts) { record in
            record.history.add(transaction)
            record.bind(to: user, at: now())
        }
    }

    /// Moves a subscription to another account, authorized by its owner's ticket.
    /// - Throws: `invalidTicket` for a used ticket; `familyShared`.
    package func move(
        by ticket: MoveTicket, to user: UserID, in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await update(ticket.subscription, in: accounts) { (record) throws(SubscriptionError) in
            // Makes a retry idempotent: the response to the first call may have been lost.
            if record.owner == user, record.previousOwner == ticket.from, record.moves == ticket.moves + 1 { return }
            guard record.owner == ticket.from, record.moves == ticket.moves else { throw .invalidTicket }
            guard !record.entitlement.isFamilyShared else { throw .familyShared }
            record.bind(to: user, at: now())
        }
    }

    /// Records that Apple's server sets an account's id in the subscription's future transactions.
    package func recordAccountToken(
        _ user: UserID, of id: SubscriptionID, in accounts: any SubscriptionAccounts
    ) async throws(SubscriptionError) {
        _ = try await update(id, in: accounts) { record in record.announcedToken = user }
    }

    /// Removes an account from a subscription, because it is deleted. One read, and one write if something changes.
    package func removeAccount(_ user: UserID, from id: SubscriptionID) async throws(SubscriptionError) {
        guard try await record(id) != nil else { return }
        _ = try await change(id) { record in record.remove(user) }
    }

    /// Changes a record that may name more accounts afterwards.
    private func update(
        _ id: SubscriptionID, in accounts: any SubscriptionAccounts,
        _ mutate: (inout SubscriptionDocument) async throws(SubscriptionError) -> Void
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        try await change(id) { (record) async throws(SubscriptionError) in
            let before = Set(record.users)
            try await mutate(&record)
            for user in record.users where !before.contains(user) && record.names(user) {
                if try await !accounts.list(id, in: user) { record.remove(user) }
            }
        }
    }

    private func change(
        _ id: SubscriptionID, _ mutate: (inout SubscriptionDocument) async throws(SubscriptionError) -> Void
    ) async throws(SubscriptionError) -> SubscriptionDocument {
        for attempt in 0..<retry.attempts {
            do {
                let stored = try await documents.load(Self.key(id))
                var record = stored?.value ?? SubscriptionDocument(id: id)
                let (before, owner) = (record.entitlement, record.owner)
                try await mutate(&record)
                if record.entitlement != before || record.owner != owner { record.revision += 1 }
                guard let stored else { return try await documents.create(Self.key(id), record).value }
                guard record != stored.value else { return record }
                return try await documents.replace(Self.key(id), stored, with: record).value
            } catch let error as ObjectStoreError {
                guard error == .preconditionFailed else { throw .store(error) }
                await retry.pause(after: attempt)
            } catch let error as SubscriptionError {
                throw error
            } catch {
                throw .contended
            }
        }
        throw .contended
    }

    /// Returns the key of a subscription's record.
    package static func key(_ id: SubscriptionID) -> ObjectKey {
        ObjectKey(
            known: StorageLayout.subscription(
                environment: id.environment.rawValue.lowercased(), originalTransactionID: id.originalTransactionID))
    }
}
