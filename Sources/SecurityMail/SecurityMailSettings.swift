import PhotolalaAPI
import SMTP

/// What security e-mails say of the service.
package struct SecurityMailSettings: Sendable {
    package let from: Mailbox
    /// The service's name.
    package let service: String
    /// The URL of the service, without a slash at the end.
    package let publicURL: String
    /// Where people get help; `nil` without such a page.
    package let supportURL: String?
    /// The names of the providers; others are named by their id.
    package let providers: [ProviderName: String]

    package init(
        from: Mailbox, service: String, publicURL: String, supportURL: String? = nil, providers: [ProviderName: String]
    ) {
        (self.from, self.service, self.supportURL, self.providers) = (from, service, supportURL, providers)
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }
}
