/// Where a purchase was made. Only `production` costs anybody money.
package enum AppStoreEnvironment: String, Codable, Sendable, CaseIterable {
    case production = "Production"
    /// TestFlight, App Review and sandbox accounts; signed by Apple like the real ones.
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"

    /// Whether Apple's servers know its purchases.
    package var isApples: Bool { self == .production || self == .sandbox }
}
