import Accounts
import Foundation

/// Apple's server-to-server notifications: `{"payload": "<JWS>"}`, and in it one event in the claim `events`, which is a
/// JSON text on the wire although Apple's page shows an object.
struct AppleEventFormat: EventFormat {
    func token(in body: Data) throws(IdentityTokenError) -> String {
        guard let token = (try? JSONReader.read(body))?.object?["payload"]?.string else { throw .malformed("payload") }
        return token
    }

    func issuers(_ settings: IdentityProviderSettings) -> [String] { settings.issuers }

    func events(
        in claims: EventClaims, _ settings: IdentityProviderSettings
    ) throws(IdentityTokenError) -> [ProviderEvent] {
        let event = claims.events.object ?? claims.events.string.flatMap { (try? JSONReader.read($0.utf8))?.object }
        guard let event, let type = event["type"]?.string, let subject = event["sub"]?.string,
            (1...255).contains(subject.utf8.count)
        else { throw .malformed("events") }
        guard let kind = Self.kind(type) else { return [] }
        return [ProviderEvent(kind, subject: subject, at: Self.time(event["event_time"], claims.issuedAt))]
    }

    private static func kind(_ type: String) -> ProviderEvent.Kind? {
        switch type {
        case "consent-revoked": .consentRevoked
        // The first is seen on the wire, the second stands in Apple's page.
        case "account-delete", "account-deleted": .accountDeleted
        case "email-enabled": .mailForwarding(isOn: true)
        case "email-disabled": .mailForwarding(isOn: false)
        default: nil
        }
    }

    /// Milliseconds on the wire. What cannot be a time before the token's own is taken for that.
    private static func time(_ value: JSONValue?, _ issuedAt: Date) -> Date {
        guard case .number(let number)? = value, number > 0 else { return issuedAt }
        let seconds = number >= 100_000_000_000 ? number / 1000 : number
        return min(Date(timeIntervalSince1970: min(seconds, 253_402_300_799)), issuedAt)
    }
}
