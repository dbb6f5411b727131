/// The renewal state of a subscription (JWSRenewalInfoDecodedPayload), reduced to what is used.
package struct RenewalInfo: Codable, Sendable, Equatable {
    package let originalID: SubscriptionID
    package let signedAt: AppStoreTime
    package let willRenew: Bool
    /// The product of the next period, if the subscription renews.
    package let nextProductID: String?
    /// Whether the last charge failed and Apple is retrying it.
    package let isInBillingRetry: Bool
    /// When the billing grace period ends, during which Apple asks to keep the service available.
    package let gracePeriodEndsAt: AppStoreTime?

    package init(
        originalID: SubscriptionID, signedAt: AppStoreTime, willRenew: Bool, nextProductID: String? = nil,
        isInBillingRetry: Bool = false, gracePeriodEndsAt: AppStoreTime? = nil
    ) {
        self.originalID = originalID
        self.signedAt = signedAt
        self.willRenew = willRenew
        self.nextProductID = nextProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodEndsAt = gracePeriodEndsAt
    }
}
