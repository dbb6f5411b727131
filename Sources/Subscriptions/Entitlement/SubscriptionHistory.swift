import Foundation

/// The facts that Apple signed about one subscription. Facts may arrive in any order and any number of times: the
/// result depends only on which facts arrived.
package struct SubscriptionHistory: Codable, Sendable, Equatable {
    /// The most transactions that are kept, the latest by purchase date. A refund of an older one has no effect.
    static let maximumTransactions = 8
    /// The most notifications that are kept, the latest by signature date.
    static let maximumNotifications = 32

    /// The transactions, the newest purchase first, each in its last signed version.
    package private(set) var transactions: [AppStoreTransaction] = []
    package private(set) var renewal: RenewalInfo?
    /// The notifications, the newest first.
    package private(set) var notifications: [NotificationRecord] = []

    package init() {}

    /// Adds a transaction unless a version signed later is known.
    package mutating func add(_ transaction: AppStoreTransaction) {
        if let index = transactions.firstIndex(where: { $0.id == transaction.id }) {
            guard Self.isNewer(transaction, than: transactions[index]) else { return }
            transactions[index] = transaction
        } else {
            transactions.append(transaction)
        }
        transactions.sort { ($0.purchasedAt, $0.id) > ($1.purchasedAt, $1.id) }
        transactions = Array(transactions.prefix(Self.maximumTransactions))
    }

    /// Removes the ID of an account that does not exist any more from the transactions.
    mutating func removeAccountToken(_ token: UUID) {
        transactions = transactions.map { $0.accountToken == token ? $0.withoutAccountToken : $0 }
    }

    /// Replaces the renewal information unless newer information is known.
    package mutating func add(_ info: RenewalInfo) {
        guard let known = renewal else { return renewal = info }
        if Self.isNewer(info, than: known) { renewal = info }
    }

    /// Adds a notification with its transaction and renewal information.
    package mutating func add(_ notification: AppStoreNotification) {
        if let transaction = notification.transaction { add(transaction) }
        if let renewal = notification.renewal { add(renewal) }
        let record = NotificationRecord(notification)
        guard !notifications.contains(where: { $0.id == record.id }) else { return }
        notifications.append(record)
        notifications.sort { ($0.signedAt, $0.id) > ($1.signedAt, $1.id) }
        notifications = Array(notifications.prefix(Self.maximumNotifications))
    }

    /// The account that the app named in the latest purchase that names one.
    package var accountToken: UUID? { transactions.lazy.compactMap(\.accountToken).first }

    /// Of two versions signed in the same millisecond, the less favorable one counts, regardless of arrival order.
    private static func isNewer(_ new: AppStoreTransaction, than known: AppStoreTransaction) -> Bool {
        func rank(_ one: AppStoreTransaction) -> (AppStoreTime, Int, Int64, Int64, String) {
            let revocationRank = (one.revokedAt == nil ? 0 : 2) + (one.isUpgraded ? 1 : 0)
            return (
                one.signedAt, revocationRank, -one.expiresAt.milliseconds, one.purchasedAt.milliseconds,
                "\(one.productID) \(one.ownership) \(one.accountToken?.uuidString ?? "") \(one.revokedAt?.milliseconds ?? 0)"
            )
        }
        return rank(new) > rank(known)
    }

    private static func isNewer(_ new: RenewalInfo, than known: RenewalInfo) -> Bool {
        func rank(_ one: RenewalInfo) -> (AppStoreTime, Int64, Int, Int, String) {
            (
                one.signedAt, -(one.gracePeriodEndsAt?.milliseconds ?? 0), one.isInBillingRetry ? 1 : 0,
                one.willRenew ? 0 : 1, one.nextProductID ?? ""
            )
        }
        return rank(new) > rank(known)
    }
}

/// The record of a received notification, which explains an entitlement to people who read it.
package struct NotificationRecord: Codable, Sendable, Equatable {
    package let id: String
    package let type: String
    package let subtype: String?
    package let signedAt: AppStoreTime
    package let effect: NotificationEffect

    init(_ notification: AppStoreNotification) {
        id = notification.id
        type = notification.type
        subtype = notification.subtype
        signedAt = notification.signedAt
        effect = NotificationEffect(type: notification.type, subtype: notification.subtype)
    }
}
