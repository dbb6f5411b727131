import Foundation

/// The mail server that sends a deployment's e-mails.
package struct MailServer: Sendable, Equatable {
    package enum Security: Sendable, Equatable {
        /// TLS from the first byte (RFC 8314 section 3.3).
        case implicitTLS
        /// TLS by `STARTTLS` (RFC 3207), which the server must offer.
        case startTLS
        /// No TLS, for a development server on this machine.
        case none
    }

    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String
    }

    package let host: String
    package let port: Int
    package let security: Security
    package let credentials: Credentials?

    package init(host: String, port: Int, security: Security, credentials: Credentials? = nil) {
        (self.host, self.port, self.security, self.credentials) = (host, port, security, credentials)
    }

    /// Parses `smtps://user:password@host:465` or `smtp://user:password@host:587`; user, password and port are optional,
    /// and characters of user and password may be percent-encoded.
    /// - Parameter allowsPlainText: whether `smtp://` to a loopback address goes without TLS.
    /// - Returns: `nil` for other texts.
    package init?(url text: String, allowsPlainText: Bool) {
        // With other characters, Foundation encodes all escapes once more.
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let parts = URLComponents(string: text),
            let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil,
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        switch parts.scheme {
        case "smtps": (security, port) = (.implicitTLS, parts.port ?? 465)
        case "smtp":
            let isLocal = ["127.0.0.1", "::1", "localhost"].contains(name)
            (security, port) = (allowsPlainText && isLocal ? .none : .startTLS, parts.port ?? 587)
        default: return nil
        }
        self.host = name
        switch (parts.user, parts.password) {
        case (nil, nil): credentials = nil
        case (let user?, let password?):
            // A NUL separates them in the command (RFC 4616).
            guard !user.isEmpty, !password.isEmpty, !(user + password).contains("\0") else { return nil }
            credentials = Credentials(user: user, password: password)
        default: return nil
        }
    }
}
