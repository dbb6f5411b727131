import Subscriptions

/// Which app's purchases are taken, and from which of Apple's environments.
package struct AppStoreSettings: Sendable {
    /// Bundle ids of the app's editions; never empty.
    package let bundleIDs: [String]
    /// The app's number in the App Store (`appAppleId`); notifications of real purchases name it.
    package let appAppleID: Int64?
    package let environments: Set<AppStoreEnvironment>

    package init(bundleIDs: [String], appAppleID: Int64?, environments: Set<AppStoreEnvironment>) {
        self.bundleIDs = bundleIDs
        self.appAppleID = appAppleID
        self.environments = environments
    }
}
