import Foundation
import SMTP
import ServiceWiring

/// A test e-mail through the configured mail server, and what each step of it found.
struct MailTest: Sendable {
    private let mail: MailSettings
    private let message: MailMessage

    /// - Parameters:
    ///   - service: The name of the service.
    ///   - id: The left part of the message's id.
    init(_ mail: MailSettings, to recipient: MailAddress, service: String, at date: Date, id: String) {
        self.mail = mail
        let text = "This is a test of the e-mail settings of \(service). You need not do anything."
        let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        message = MailMessage(
            from: mail.from, to: recipient, subject: "Test e-mail from \(service)", date: date, id: id, language: "en",
            text: "\(text)\n", html: "<p>\(html)</p>\n")
    }

    /// Sends the message.
    func findings() async -> [Finding] {
        do {
            let client = try SMTPClient(server: mail.server, name: mail.from.address.domain)
            return findings(of: await client.trace(message))
        } catch {
            return [Finding("mail tls", .problem, "the system's certificates cannot be read: \(error)")]
        }
    }

    /// Returns one finding per step, up to the one that failed.
    func findings(of trace: SMTPTrace) -> [Finding] {
        var findings = trace.steps.map { Finding("mail \(Self.name($0))", .ok, detail($0)) }
        if let failure = trace.failure {
            let name = expected.dropFirst(trace.steps.count).first ?? "send"
            findings.append(Finding("mail \(name)", .problem, "\(failure)", remedy: remedy(failure)))
        }
        return findings
    }

    /// The names of the steps, in order.
    private var expected: [String] {
        let login = mail.server.credentials == nil ? [] : ["login"]
        return switch mail.server.security {
        case .implicitTLS: ["connect", "tls", "greeting"] + login + ["send"]
        case .startTLS: ["connect", "greeting", "tls"] + login + ["send"]
        case .none: ["connect", "greeting"] + login + ["send"]
        }
    }

    private static func name(_ step: SMTPStep) -> String {
        switch step {
        case .connected: "connect"
        case .encrypted: "tls"
        case .greeted: "greeting"
        case .authenticated: "login"
        case .accepted: "send"
        }
    }

    private func detail(_ step: SMTPStep) -> String {
        switch step {
        case .connected(let address):
            "\(mail.server.host) is \(address), and accepts connections at port \(mail.server.port)"
        case .encrypted: "the certificate is valid for \(mail.server.host)"
        case .greeted: "the server answers EHLO \(mail.from.address.domain)"
        case .authenticated: "the server accepts user and password"
        case .accepted:
            "accepted from \(mail.from.address) for \(message.to), as “\(message.subject)”. It can still be filtered: "
                + "look for it in the mailbox, also under spam"
        }
    }

    private func remedy(_ failure: SMTPError) -> String {
        switch failure {
        case .notConnected, .timedOut, .closed:
            "Check host and port of mail.url, and that this machine may connect to them: some networks block 25, 465 or 587"
        case .tls, .noTLS, .malformedReply:
            "Use smtps:// for TLS from the beginning (465), smtp:// for STARTTLS (587), and the name in the certificate, "
                + "which an authority that this machine trusts must have issued"
        case .noAuthentication:
            "Remove user and password from mail.url if the server needs none; a server offers its login often only with TLS"
        case .authenticationFailed:
            "Correct user and password in mail.url; special characters must be percent-encoded"
        case .refused("MAIL", _, _) where mail.server.credentials == nil:
            "Put user and password into mail.url if the server requires a login, or use another mail.from"
        case .refused("MAIL", _, _): "Use a mail.from from which the server lets this user send"
        case .refused("RCPT", _, _):
            "Check the address, and whether the server restricts recipients, as a new account at a mail service does"
        case .refused: "Look in the mail server's log for this reply"
        }
    }
}
