import Foundation
import Hummingbird

/// The portal's cookies in a request. Each is bound to this exact host (`__Host-`, RFC 6265bis section 4.1.3.2), is
/// sent only over HTTPS (or to a loopback address), and is inaccessible to scripts and to forms of other sites.
struct PortalCookies: Sendable {
    enum Name: String, CaseIterable {
        /// Identifies the browser.
        case browser = "__Host-photolala-browser"
        /// The session that is signed in.
        case session = "__Host-photolala-session"
        /// A pending identity.
        case pending = "__Host-photolala-pending"
        /// The page to continue to after the pending identity is resolved.
        case location = "__Host-photolala-place"
        /// The provider that was used last.
        case provider = "__Host-photolala-provider"
        /// The theme that was chosen.
        case theme = "__Host-photolala-theme"
        /// The language that was chosen.
        case language = "__Host-photolala-language"
        /// The act that the next page reports.
        case outcome = "__Host-photolala-outcome"
        /// Whether the browser keeps what was seen of the library.
        case offline = "__Host-photolala-offline"
    }

    private let values: [Name: String]

    init(_ request: Request) {
        var values: [Name: String] = [:]
        if request.headers[.cookie] != nil {
            let cookies = request.cookies
            for name in Name.allCases { values[name] = cookies[name.rawValue]?.value }
        }
        self.values = values
    }

    subscript(_ name: Name) -> String? { values[name] }
}

extension Response {
    /// Sets a cookie with a lifetime in seconds.
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
