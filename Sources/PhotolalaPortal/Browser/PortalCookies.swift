import Foundation
import Hummingbird

/// The portal's cookies, as a request brought them. Each is bound to this very host (`__Host-`, RFC 6265bis section
/// 4.1.3.2), goes over https alone (or to this machine), and is out of reach for scripts and for other sites' forms.
struct PortalCookies: Sendable {
    enum Name: String, CaseIterable {
        /// Which browser this is.
        case browser = "__Host-photolala-browser"
        /// Whose session is open in it.
        case session = "__Host-photolala-session"
        /// An identity that was proved and opens no account.
        case pending = "__Host-photolala-pending"
        /// Where the person was on the way to when that identity was proved.
        case place = "__Host-photolala-place"
        /// The provider that was used last.
        case provider = "__Host-photolala-provider"
    }

    private let values: [Name: String]

    init(_ request: Request) {
        var values: [Name: String] = [:]
        for name in Name.allCases { values[name] = request.cookies[name.rawValue]?.value }
        self.values = values
    }

    subscript(_ name: Name) -> String? { values[name] }
}

extension Response {
    /// Sets a cookie for so many seconds.
    mutating func set(_ name: PortalCookies.Name, to value: String, for seconds: Int) {
        setCookie(
            Cookie(
                name: name.rawValue, value: value, maxAge: seconds, path: "/", secure: true, httpOnly: true,
                sameSite: .lax
            )
        )
    }

    mutating func remove(_ name: PortalCookies.Name) { set(name, to: "", for: 0) }
}
