import Localization

/// Whether a browser keeps what was seen of the library. The choice ends with the session. The raw values are those of
/// the form.
enum OfflineMode: String, CaseIterable {
    /// Only if the pages are installed as an app. The default.
    case app
    case on, off

    /// The choice of a browser.
    init(_ cookies: PortalCookies) { self = cookies[.offline].flatMap { OfflineMode(rawValue: $0) } ?? .app }

    /// The name of its text.
    var text: TextName {
        switch self {
        case .app: .offlineModeApp
        case .on: .offlineModeOn
        case .off: .offlineModeOff
        }
    }
}
