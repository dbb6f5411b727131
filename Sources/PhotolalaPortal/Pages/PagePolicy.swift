import Crypto
import Foundation
import HTTPTypes

/// A page's Content Security Policy (Level 3). By default the page may only display itself.
package struct PagePolicy: Sendable {
    /// The targets of its forms, including redirects.
    var formActions = ["'none'"]
    /// The exact text of the only inline script that may run.
    var script: String?
    /// The origin of pictures and videos, linked directly or through our redirects.
    var store: String?
    /// Whether scripts may play files of this device, as an upload does to draw a frame.
    var playsFiles = false
    /// Whether our own scripts may run and connect to our origin and to `store`.
    var hasScripts = false
    /// Whether pages of our own origin may show the page in a frame.
    var isFramable = false
    /// Whether the page may show pages of our own origin in a frame.
    var hasFrames = false
    /// Whether the page keeps its opener, which sign-in in a popup window requires.
    var keepsOpener = false

    /// The policy of a page with forms to its own server.
    package static let ownForms = PagePolicy(formActions: ["'self'"])
    /// The policy of a page with forms to its own server and our own scripts.
    static let ownScripts = PagePolicy(formActions: ["'self'"], hasScripts: true)

    var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = text
        headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in Self.others { headers[name] = value }
        if isFramable, let name = HTTPField.Name("X-Frame-Options") { headers[name] = "SAMEORIGIN" }
        if !keepsOpener, let name = HTTPField.Name("Cross-Origin-Opener-Policy") { headers[name] = "same-origin" }
        return headers
    }

    private var text: String {
        var rules = [
            "default-src 'none'", "style-src 'self'", "manifest-src 'self'", "base-uri 'none'",
            isFramable ? "frame-ancestors 'self'" : "frame-ancestors 'none'",
        ]
        if hasFrames { rules.append("frame-src 'self'") }
        rules.append("form-action \(formActions.joined(separator: " "))")
        rules.append(store.map { "img-src 'self' \($0)" } ?? "img-src 'self'")
        if let store { rules.append("media-src 'self' \(store)\(playsFiles ? " blob:" : "")") }
        if hasScripts {
            rules += ["script-src 'self'", "worker-src 'self'", "connect-src 'self' \(store ?? "")"]
        }
        if let script {
            rules.append("script-src 'sha256-\(Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString())'")
        }
        return rules.joined(separator: "; ")
    }

    static let others: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"), ("X-Robots-Tag", "noindex"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
