/// The App Store environment of a purchase. Only `production` purchases cost money.
package enum AppStoreEnvironment: String, Codable, Sendable, CaseIterable {
    case production = "Production"
    /// TestFlight, App Review and sandbox accounts; signed by Apple like production purchases.
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"

    /// Whether Apple's servers know purchases of this environment.
    package var isOperatedByApple: Bool { self == .production || self == .sandbox }
}
