/// The platforms that an approval page names. A requester can send any other text as its platform; pages do not show
/// it.
package enum DevicePlatform: String, CaseIterable, Sendable {
    case android, ios, ipados, linux, macos, tvos, visionos, watchos, web, windows

    /// Creates a platform from its name, ignoring case. Returns `nil` for a platform that is not listed.
    package init?(named platform: String) { self.init(rawValue: platform.lowercased()) }
}
