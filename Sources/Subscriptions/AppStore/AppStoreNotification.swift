/// One App Store Server Notification, version 2, with its inner parts verified too.
package struct AppStoreNotification: Sendable, Equatable {
    /// The same whenever Apple sends it again.
    package let id: String
    /// Such as `DID_RENEW`; one that is not known here is kept as it came.
    package let type: String
    package let subtype: String?
    package let signedAt: AppStoreTime
    /// `nil` where it is about no subscription of one person: a test, a summary, another kind of purchase.
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
