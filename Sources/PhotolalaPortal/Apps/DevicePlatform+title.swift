import UseCases

extension DevicePlatform {
    /// The platform's own name, the same in every language.
    var title: String {
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
}
