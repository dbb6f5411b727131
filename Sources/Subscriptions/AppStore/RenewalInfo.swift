/// What is to become of a subscription at its end (JWSRenewalInfoDecodedPayload), reduced to what is used.
package struct RenewalInfo: Codable, Sendable, Equatable {
    package let originalID: SubscriptionID
    package let signedAt: AppStoreTime
    package let willRenew: Bool
    /// The product of the next period, when it renews.
    package let nextProductID: String?
    /// The last charge failed and Apple is trying again.
    package let isInBillingRetry: Bool
    /// Until when Apple asks to go on serving meanwhile.
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
