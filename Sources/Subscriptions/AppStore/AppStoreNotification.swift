/// A verified App Store Server Notification, version 2, with verified inner signed data.
package struct AppStoreNotification: Sendable, Equatable {
    /// The id, which stays the same when Apple sends the notification again.
    package let id: String
    /// The type, such as `DID_RENEW`; unknown types are kept unchanged.
    package let type: String
    package let subtype: String?
    package let signedAt: AppStoreTime
    /// The subscription; `nil` if the notification is not about one subscription: a test, a summary, another kind of
    /// purchase.
    package let subscription: SubscriptionID?
    package let transaction: AppStoreTransaction?
    package let renewal: RenewalInfo?

    package init(
        id: String, type: String, subtype: String?, signedAt: AppStoreTime, subscription: SubscriptionID?,
        transaction: AppStoreTransaction?, renewal: RenewalInfo?
    ) {
        self.id = id
        self.type = type
        self.subtype = subtype
        self.signedAt = signedAt
        self.subscription = subscription
        self.transaction = transaction
        self.renewal = renewal
    }
}
