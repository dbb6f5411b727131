import Subscriptions

/// The app whose purchases are accepted, and the accepted App Store environments.
package struct AppStoreSettings: Sendable {
    /// The bundle ids of the app's editions; never empty.
    package let bundleIDs: [String]
    /// The app's App Store id (`appAppleId`), which notifications of production purchases contain.
    package let appAppleID: Int64?
    package let environments: Set<AppStoreEnvironment>

    package init(bundleIDs: [String], appAppleID: Int64?, environments: Set<AppStoreEnvironment>) {
        self.bundleIDs = bundleIDs
        self.appAppleID = appAppleID
        self.environments = environments
    }
}
