import AppStore
import PhotolalaAPI
import Subscriptions

/// The settings for tiers, trials and App Store purchases.
package struct PurchaseSettings: Sendable {
    package let plan: TierPlan
    let trial: TrialOffer?
    /// `nil` if purchases are not accepted.
    let appStore: AppStoreSettings?
    /// The trusted root certificates for signed data, in DER form.
    let roots: [[UInt8]]
    let asksRevocation: Bool
    /// The key for Apple's server, `nil` if the server sends no requests to Apple.
    let key: AppStoreKey?
    let serverURLs: [AppStoreEnvironment: String]
}
