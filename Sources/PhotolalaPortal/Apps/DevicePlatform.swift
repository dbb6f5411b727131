/// The platforms that a page names. What a requester says of its device beyond that could say anything, so it is not shown
/// to the person who decides.
enum DevicePlatform: String {
    case android, ios, ipados, linux, macos, tvos, visionos, watchos, web, windows

    private var title: String {
        switch self {
        case .android: "Android"
        case .ios: "iOS"
        case .ipados: "iPadOS"
        case .linux: "Linux"
        case .macos: "macOS"
        case .tvos: "tvOS"
        case .visionos: "visionOS"
        case .watchos: "watchOS"
        case .web: "Web"
        case .windows: "Windows"
        }
    }

    /// Returns the platform's own name; `nil` for one that is not known here.
    static func title(of platform: String) -> String? { DevicePlatform(rawValue: platform.lowercased())?.title }
}
