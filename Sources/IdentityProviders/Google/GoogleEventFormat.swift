import Accounts
import Foundation

/// Google's Cross-Account Protection (RISC): the body is the token, and its `events` is an object keyed by event type.
struct GoogleEventFormat: EventFormat {
    private static let risc = "https://schemas.openid.net/secevent/risc/event-type/"
    private static let oauth = "https://schemas.openid.net/secevent/oauth/event-type/"

    func token(in body: Data) throws(IdentityTokenError) -> String {
        guard let text = String(data: body, encoding: .utf8) else { throw .malformed("token") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// In event tokens the issuer has a trailing slash.
    func issuers(_ settings: IdentityProviderSettings) -> [String] {
        settings.issuers + settings.issuers.map { "\($0)/" }
    }

    func events(
        in claims: EventClaims, _ settings: IdentityProviderSettings
    ) throws(IdentityTokenError) -> [ProviderEvent] {
        guard let events = claims.events.object else { throw .malformed("events") }
        var found: [ProviderEvent] = []
        for (type, event) in events.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kind(type) else { continue }
            guard let subject = event.object?["subject"]?.object, let issuer = subject["iss"]?.string,
                issuers(settings).containsBytes(of: issuer), let id = subject["sub"]?.string,
                (1...255).contains(id.utf8.count)
            else { throw .malformed("subject") }
            found.append(ProviderEvent(kind, subject: id, at: claims.issuedAt))
        }
        return found
    }

    /// Returns the kind of an event. Verification events only test the delivery, and single-token revocations name no
    /// subject, so both are ignored.
    private static func kind(_ type: String) -> ProviderEvent.Kind? {
        switch type {
        case "\(risc)sessions-revoked", "\(risc)account-credential-change-required": .sessionsRevoked
        case "\(oauth)tokens-revoked": .consentRevoked
        case "\(risc)account-disabled": .accountDisabled
        case "\(risc)account-enabled": .accountEnabled
        case "\(risc)account-purged": .accountPurged
        default: nil
        }
    }
}
