import Accounts
import Foundation
import JSONCoding

/// Apple's server-to-server notifications: `{"payload": "<JWS>"}`. The JWS has one event in the claim `events`, which
/// is sent as a JSON string although Apple's documentation shows an object.
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
        // Apple sends `account-delete`, and its documentation has `account-deleted`.
        case "account-delete", "account-deleted": .accountDeleted
        case "email-enabled": .mailForwarding(isOn: true)
        case "email-disabled": .mailForwarding(isOn: false)
        default: nil
        }
    }

    /// Returns a time that Apple sends in milliseconds. A missing, non-positive or later time becomes the token's issue
    /// time.
    private static func time(_ value: JSONValue?, _ issuedAt: Date) -> Date {
        guard case .number(let number)? = value, number > 0 else { return issuedAt }
        let seconds = number >= 100_000_000_000 ? number / 1000 : number
        return min(Date(timeIntervalSince1970: min(seconds, 253_402_300_799)), issuedAt)
    }
}
