import Foundation
import PhotolalaAPI

/// Apple's server, asked for what it has signed.
package protocol AppStoreServer: Sendable {
    /// The newest of a subscription: its last transactions and their renewal information.
    func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts
    /// All transactions of a subscription, the newest first, at most 1,000.
    func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction]
    /// A page of the notifications of a time that did not reach this server.
    /// - Parameter page: from the answer before; `nil` for the first.
    func missedNotifications(
        _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
    ) async throws(AppStoreServerError) -> MissedNotifications
    /// Has a subscription's coming transactions name an account.
    func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError)
}

/// What Apple's server says about a subscription.
package struct SubscriptionFacts: Sendable, Equatable {
    package let transactions: [AppStoreTransaction]
    package let renewals: [RenewalInfo]

    package init(transactions: [AppStoreTransaction], renewals: [RenewalInfo]) {
        self.transactions = transactions
        self.renewals = renewals
    }
}

/// A page of notifications.
package struct MissedNotifications: Sendable {
    package let notifications: [AppStoreNotification]
    /// Why others of the page are left out.
    package let invalid: [SignedDataError]
    /// What the next page is asked for with; `nil` on the last one.
    package let next: String?
    /// Why there are none of one of several apps.
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

/// Why Apple's server gave no answer. Reasons are for the log.
package enum AppStoreServerError: Error, Equatable, Sendable {
    /// It does not know the transaction.
    case notFound
    /// It does not take our key, or what we ask.
    case refused(String)
    /// It does not answer, or too many were asked.
    case unavailable(String)
    /// What it answered is not signed as it must be.
    case invalid(SignedDataError)
}
