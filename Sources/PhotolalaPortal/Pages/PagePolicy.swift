import Crypto
import Foundation
import HTTPTypes

/// What a page may do (Content Security Policy Level 3): nothing but show itself, if nothing is said.
struct PagePolicy: Sendable {
    /// Where its forms lead, redirects of their answers included.
    var formActions = ["'none'"]
    /// The one script that it runs, to the letter.
    var script: String?
    /// The origin whose pictures and videos it shows, by their addresses there or redirected from ours.
    var store: String?
    /// Whether it runs our own scripts, which speak to us and to that origin.
    var hasScripts = false
    /// Whether it stays with the window that opened it, as sign-in in a window of its own needs.
    var keepsOpener = false

    var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = text
        headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in Self.others { headers[name] = value }
        if !keepsOpener, let name = HTTPField.Name("Cross-Origin-Opener-Policy") { headers[name] = "same-origin" }
        return headers
    }

    private var text: String {
        var rules = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        rules.append("form-action \(formActions.joined(separator: " "))")
        if let store { rules += ["img-src 'self' \(store)", "media-src 'self' \(store)"] }
        if hasScripts {
            rules += ["script-src 'self'", "worker-src 'self'", "connect-src 'self' \(store ?? "")"]
        }
        if let script {
            rules.append("script-src 'sha256-\(Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString())'")
        }
        return rules.joined(separator: "; ")
    }

    private static let others: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"), ("X-Robots-Tag", "noindex"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
