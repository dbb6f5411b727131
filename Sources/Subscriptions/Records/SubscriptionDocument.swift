import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/subscriptions/{environment}/{originalTransactionId}.json`: whose a subscription is, and what Apple signed
/// about it. The one truth; accounts hold a copy of what it gives them.
package struct SubscriptionDocument: VersionedDocument {
    package var version: Int
    package let id: SubscriptionID
    /// The account that it counts for. The first that presents it; `nil` while only Apple has told of it.
    package internal(set) var owner: UserID?
    package internal(set) var boundAt: Date?
    /// Whose it was before: that account is told as well.
    package internal(set) var previousOwner: UserID?
    /// How often it went to another account; makes a move ticket good once.
    package internal(set) var moves: Int
    /// Raised whenever it gives something else, or gives it to somebody else: an account takes no earlier word.
    package internal(set) var revision: Int
    package internal(set) var history: SubscriptionHistory
    /// The account that Apple's server was last told to name in coming transactions.
    package internal(set) var announcedToken: UserID?

    init(id: SubscriptionID) {
        version = 1
        self.id = id
        moves = 0
        revision = 1
        history = SubscriptionHistory()
    }

    package var entitlement: Entitlement { Entitlement(history) }

    /// Takes in what is about this subscription.
    mutating func take(_ facts: SubscriptionFacts) {
        for transaction in facts.transactions where transaction.originalID == id { history.take(transaction) }
        for renewal in facts.renewals where renewal.originalID == id { history.take(renewal) }
    }

    /// Gives it to an account.
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
