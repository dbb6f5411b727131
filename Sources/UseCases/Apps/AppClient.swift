/// An app that users sign in to through this server's pages (an OAuth public client).
package struct AppClient: Sendable, Equatable {
    /// The OAuth `client_id`.
    package let id: String
    /// The name that pages show.
    package let name: String
    /// The allowed redirect URIs. For loopback addresses the port is ignored (RFC 8252 section 7.3).
    package let redirectURIs: [String]

    package init(id: String, name: String, redirectURIs: [String]) {
        self.id = id
        self.name = name
        self.redirectURIs = redirectURIs
    }

    /// The command-line client, which every server accepts.
    package static let commandLine = AppClient(
        id: "photolala", name: "photolala", redirectURIs: ["http://127.0.0.1/callback", "http://[::1]/callback"])

    /// Returns whether `uri` is an allowed redirect URI. The comparison is byte for byte, except for the port of a
    /// loopback address.
    func accepts(at uri: String) -> Bool {
        redirectURIs.contains { known in
            known.utf8.elementsEqual(uri.utf8) || Self.portless(uri).map { $0.utf8.elementsEqual(known.utf8) } == true
        }
    }

    /// Returns a loopback URI without its port, or `nil` if `uri` is not a loopback URI with a port.
    private static func portless(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix("\(host):") {
            let rest = uri.dropFirst(host.count + 1)
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let port = UInt16(digits), port > 0, rest.dropFirst(digits.count).first == "/" else { return nil }
            return "\(host)\(rest.dropFirst(digits.count))"
        }
        return nil
    }

    /// The validation errors of this registration; empty if it is valid.
    package var problems: [String] {
        var problems: [String] = []
        let isID = id.utf8.allSatisfy { (0x21...0x7e).contains($0) } && (1...100).contains(id.utf8.count)
        if !isID { problems.append("client id must be 1 to 100 visible ASCII characters") }
        if name.isEmpty || name.unicodeScalars.count > 100 {
            problems.append("\(id): name must be 1 to 100 characters")
        }
        if redirectURIs.isEmpty { problems.append("\(id): missing redirect URI") }
        for uri in redirectURIs where !Self.isRedirectURI(uri) {
            problems.append(
                "\(id): invalid redirect URI \(uri): use https, http on 127.0.0.1 or [::1], or a scheme with a dot, "
                    + "and no fragment"
            )
        }
        return problems
    }

    /// Returns whether `uri` is an https address, a loopback address or a private-use scheme in reverse domain form
    /// (RFC 8252 section 7).
    private static func isRedirectURI(_ uri: String) -> Bool {
        guard uri.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), uri.utf8.count <= 1000, !uri.contains("#"),
            let colon = uri.firstIndex(of: ":")
        else { return false }
        let scheme = uri[..<colon]
        switch scheme {
        case "https":
            // The host goes into the page's Content-Security-Policy: no user info, and no character with a meaning
            // there.
            let host = uri.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
            return uri.hasPrefix("https://") && !host.isEmpty
                && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) }
        case "http": return ["http://127.0.0.1/", "http://[::1]/"].contains { uri.hasPrefix($0) }
        default:
            return scheme.contains(".") && scheme.first?.isLetter == true
                && scheme.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "+-.".contains($0)) }
        }
    }
}

extension [AppClient] {
    /// Returns whether the app of a session is still registered; `true` for a session without an app.
    func isRegistered(_ client: String?) -> Bool {
        guard let client else { return true }
        return contains { $0.id == client }
    }
}
