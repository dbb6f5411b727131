import Foundation
import PhotolalaAPI

/// Apple's server, which returns signed data on request.
package protocol AppStoreServer: Sendable {
    /// Returns the newest facts of a subscription: its last transactions and their renewal information.
    func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts
    /// Returns all transactions of a subscription, the newest first, at most 1,000.
    func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction]
    /// Returns a page of the notifications in a time range that did not reach this server.
    /// - Parameter page: the `next` of the previous page; `nil` for the first.
    func missedNotifications(
        _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
    ) async throws(AppStoreServerError) -> MissedNotifications
    /// Sets the account id in a subscription's future transactions.
    func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError)
}

/// The facts about a subscription that Apple's server returns.
package struct SubscriptionFacts: Sendable, Equatable {
    package let transactions: [AppStoreTransaction]
    package let renewals: [RenewalInfo]

    package init(transactions: [AppStoreTransaction], renewals: [RenewalInfo]) {
        self.transactions = transactions
        self.renewals = renewals
    }
}

/// A page of missed notifications.
package struct MissedNotifications: Sendable {
    package let notifications: [AppStoreNotification]
    /// Why other notifications of the page are left out.
    package let invalid: [SignedDataError]
    /// The id of the next page; `nil` on the last one.
    package let next: String?
    /// Why the notifications of one of several apps are missing.
    package let refusal: AppStoreServerError?

    package init(
        notifications: [AppStoreNotification], invalid: [SignedDataError], next: String?,
        refusal: AppStoreServerError? = nil
    ) {
        self.refusal = refusal
        self.notifications = notifications
        self.invalid = invalid
        self.next = next
    }
}

/// An error of Apple's server. Texts are for the log.
package enum AppStoreServerError: Error, Equatable, Sendable {
    /// The server does not know the transaction.
    case notFound
    /// The server refuses the key or the request.
    case refused(String)
    /// The server does not answer, or the rate limit is exceeded.
    case unavailable(String)
    /// The response is not validly signed.
    case invalid(SignedDataError)
}
