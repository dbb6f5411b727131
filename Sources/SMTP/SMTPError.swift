/// Why e-mails could not be sent. Contains no text from the server.
package enum SMTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The host was not found or refused the connection.
    case notConnected(String)
    /// The certificate is not valid, or the handshake failed.
    case tls(String)
    /// The server does not offer `STARTTLS`.
    case noTLS
    /// The server offers no method for the user and the password that is supported: `PLAIN` or `LOGIN`.
    case noAuthentication
    case authenticationFailed(code: Int, status: String?)
    /// The server refused a command.
    case refused(command: String, code: Int, status: String?)
    /// The server sent what is no reply, or a reply that no command had asked for.
    case malformedReply
    /// The server closed the connection.
    case closed
    case timedOut

    package var description: String {
        switch self {
        case .notConnected(let reason): "connection failed: \(reason)"
        case .tls(let reason): "TLS failed: \(reason)"
        case .noTLS: "the server does not offer STARTTLS"
        case .noAuthentication: "the server offers neither AUTH PLAIN nor AUTH LOGIN"
        case .authenticationFailed(let code, let status): "authentication refused: \(Self.text(code, status))"
        case .refused(let command, let code, let status): "\(command) refused: \(Self.text(code, status))"
        case .malformedReply: "malformed reply"
        case .closed: "the server closed the connection"
        case .timedOut: "no reply in time"
        }
    }

    /// Whether the server refuses a message for good because of its recipient: the mailbox does not exist, or takes no
    /// mail (RFC 3463 sections 3.2 and 3.3). Many servers report their own rules at `RCPT`, too, which can change.
    package var isOfRecipient: Bool {
        guard case .refused(let command, let code, let status) = self, code / 100 == 5 else { return false }
        guard let status else { return command == "RCPT" && [550, 551, 553].contains(code) }
        return ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"].contains(status) || status.hasPrefix("5.2.")
    }

    private static func text(_ code: Int, _ status: String?) -> String { "\(code)\(status.map { " \($0)" } ?? "")" }
}
