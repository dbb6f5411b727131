/// The platforms that a page names. A requester can say anything else of its device, so nothing else is shown to the person who
/// decides.
package enum DevicePlatform: String, CaseIterable, Sendable {
    case android, ios, ipados, linux, macos, tvos, visionos, watchos, web, windows

    /// Returns `nil` for a platform that is not in the list.
    package init?(named platform: String) { self.init(rawValue: platform.lowercased()) }
}
