import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/subscriptions/{environment}/{originalTransactionId}.json`: the owner of a subscription and the facts that
/// Apple signed about it. The source of truth; accounts hold copies of their entitlements.
package struct SubscriptionDocument: VersionedDocument {
    package var version: Int
    package let id: SubscriptionID
    /// The account that has the subscription: the first that presents it, or that its buyer named; `nil` before that.
    package internal(set) var owner: UserID?
    package internal(set) var boundAt: Date?
    /// The previous owner, whose account is updated as well.
    package internal(set) var previousOwner: UserID?
    /// The number of moves between accounts, which makes a move ticket valid only once.
    package internal(set) var moves: Int
    /// Incremented whenever the entitlement or the owner changes; an account ignores earlier revisions.
    package internal(set) var revision: Int
    package internal(set) var history: SubscriptionHistory
    /// The account id that Apple's server was last asked to set in future transactions.
    package internal(set) var announcedToken: UserID?

    init(id: SubscriptionID) {
        version = 1
        self.id = id
        moves = 0
        revision = 1
        history = SubscriptionHistory()
    }

    package var entitlement: Entitlement { Entitlement(history) }

    /// Applies the facts about this subscription.
    mutating func add(_ facts: SubscriptionFacts) {
        for transaction in facts.transactions where transaction.originalID == id { history.add(transaction) }
        for renewal in facts.renewals where renewal.originalID == id { history.add(renewal) }
    }

    /// The accounts that it mentions; one may occur several times.
    var users: [UserID] {
        [owner, previousOwner, announcedToken].compactMap(\.self)
            + history.transactions.compactMap { $0.accountToken.map(UserID.init(uuid:)) }
    }

    /// Returns whether it mentions an account.
    package func names(_ user: UserID) -> Bool { users.contains(user) }

    /// Removes every mention of an account. What Apple signed stays, because the buyer may subscribe again.
    mutating func remove(_ user: UserID) {
        if owner == user { (owner, boundAt) = (nil, nil) }
        if previousOwner == user { previousOwner = nil }
        if announcedToken == user { announcedToken = nil }
        history.removeAccountToken(user.uuid)
    }

    /// Assigns the subscription to an account.
    mutating func bind(to user: UserID, at time: Date) {
        guard owner != user else { return }
        if let owner {
            previousOwner = owner
            moves += 1
        }
        owner = user
        // Dates are stored in whole seconds.
        boundAt = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    }
}
