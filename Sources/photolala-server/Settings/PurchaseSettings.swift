import AppStore
import PhotolalaAPI
import Subscriptions

/// What tiers hold, who gets one for a while, and whose purchases give one.
struct PurchaseSettings: Sendable {
    let plan: TierPlan
    let trial: TrialOffer?
    /// `nil` where no purchases are taken.
    let appStore: AppStoreSettings?
    /// Certificates in DER form to which signed data must lead.
    let roots: [[UInt8]]
    let asksRevocation: Bool
    /// For Apple's server; `nil` where it is not asked.
    let key: AppStoreKey?
    let serverURLs: [AppStoreEnvironment: String]
}
