import SMTP

/// The mail server and the sender of security e-mails.
package struct MailSettings: Sendable {
    package let server: MailServer
    package let from: Mailbox
}

extension SettingsReader {
    /// Returns the server and the sender of e-mails: both or neither.
    mutating func mail(allowingPlainText: Bool) -> MailSettings? {
        let sender = text(.mailFrom)
        guard let url = text(.mailURL, isSecret: true) else {
            if sender != nil { report("mail.url: required with mail.from") }
            return nil
        }
        // The value is not shown because it may contain a password.
        let server = MailServer(url: url, allowsPlainText: allowingPlainText)
        if server == nil {
            report("mail.url: must be an smtp or smtps URL with a host, and with both user and password or neither")
        }
        guard let sender else {
            report("mail.from: required with mail.url")
            return nil
        }
        guard let from = Mailbox(sender) else {
            report("mail.from: must be an ASCII address, or a name and an address as in Photos <photos@example.org>")
            return nil
        }
        return server.map { MailSettings(server: $0, from: from) }
    }
}
