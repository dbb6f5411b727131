import Foundation
import Transport
import Webhooks

extension SettingsReader {
    /// Returns the URL and the signing secrets for events: both or neither.
    mutating func webhooks(allowingPlainHTTP: Bool) -> WebhookSettings? {
        let secrets = webhookSecrets()
        guard let url = text(.webhooksURL) else {
            if text(.webhooksSecrets, isSecret: true) != nil {
                report("webhooks.url: required with webhooks.secrets")
            }
            return nil
        }
        if text(.webhooksSecrets, isSecret: true) == nil {
            report("webhooks.secrets: required with webhooks.url")
        }
        let parts = URLComponents(string: url)
        let scheme = parts?.scheme
        guard let parts, scheme == "http" || scheme == "https", parts.host?.isEmpty == false, parts.user == nil,
            parts.password == nil, parts.fragment == nil, VerbatimURL.isVerbatim(url)
        else {
            // The value is not shown because it may contain a password.
            report("webhooks.url: must be an http or https URL without user, password or fragment")
            return nil
        }
        if !allowingPlainHTTP, scheme != "https" { report("webhooks.url: must be https outside of dev") }
        return WebhookSettings(url: url, secrets: secrets)
    }

    private mutating func webhookSecrets() -> [WebhookSecret] {
        list(.webhooksSecrets, isSecret: true).compactMap { text in
            if let secret = WebhookSecret(text) { return secret }
            report("webhooks.secrets: must be whsec_ and 24 to 64 bytes in base64")
            return nil
        }
    }
}
