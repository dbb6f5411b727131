import Foundation

/// The body of `POST /dev/providers/{apple|google|facebook}/event`: the event to create and its subject.
package struct DevelopmentEventRequest: Codable, Sendable, Equatable {
    /// The provider's event name: `consent-revoked`, `sessions-revoked`, …; for Google with or without its URI, for
    /// Facebook any text, because there the callback URL determines the event.
    package var type: String
    package var subject: String
    /// The client id in the event; the provider's default if absent.
    package var audience: String?

    package init(type: String, subject: String, audience: String? = nil) {
        self.type = type
        self.subject = subject
        self.audience = audience
    }
}

extension DevelopmentProvider {
    /// Returns the signed body that the provider would send to the webhook.
    package func event(_ request: DevelopmentEventRequest) throws(DevelopmentProviderError) -> Data {
        switch shape {
        case .apple: try Self.json(["payload": try appleEvent(request)])
        case .google: Data(try googleEvent(request).utf8)
        case .facebook: try signedRequest(request)
        }
    }

    private struct Claims<Events: Encodable>: Encodable {
        let iss: String
        let aud: String
        let iat: Int
        let exp: Int?
        let jti: String
        let events: Events
    }

    private func claims<Events: Encodable>(
        _ request: DevelopmentEventRequest, issuer: String, lasting: Int?, _ events: Events
    ) throws(DevelopmentProviderError) -> Data {
        let time = Int(now().timeIntervalSince1970)
        return try Self.json(
            Claims(
                iss: issuer, aud: request.audience ?? audience, iat: time, exp: lasting.map { time + $0 },
                jti: makeSecret(),
                events: events
            )
        )
    }

    /// The event is a JSON string in the token, as Apple sends it.
    private func appleEvent(_ request: DevelopmentEventRequest) throws(DevelopmentProviderError) -> String {
        struct Event: Encodable {
            let type: String
            let sub: String
            let event_time: Int
        }
        let event = Event(
            type: request.type, sub: request.subject, event_time: Int(now().timeIntervalSince1970 * 1000)
        )
        let text = String(decoding: try Self.json(event), as: UTF8.self)
        return try key.sign(try claims(request, issuer: issuer, lasting: 86_400, text))
    }

    private func googleEvent(_ request: DevelopmentEventRequest) throws(DevelopmentProviderError) -> String {
        struct Event: Encodable {
            let subject: [String: String]
        }
        let issuer = "\(issuer)/"
        let realm = request.type == "tokens-revoked" ? "oauth" : "risc"
        let type =
            request.type.hasPrefix("https://")
            ? request.type : "https://schemas.openid.net/secevent/\(realm)/event-type/\(request.type)"
        let event = Event(subject: ["subject_type": "iss-sub", "iss": issuer, "sub": request.subject])
        return try key.sign(try claims(request, issuer: issuer, lasting: nil, [type: event]))
    }
}
