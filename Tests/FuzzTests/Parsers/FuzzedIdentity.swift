import Accounts
import Foundation
import HTTPTypes
import JSONCoding
import JWS
import PhotolalaAPI
import Secrets

@testable import IdentityProviders

extension FuzzedParser {
    private static let keys = """
        {"keys":[{"kty":"EC","crv":"P-256","kid":"ec","use":"sig","alg":"ES256","x":"\(ForgedProvider.x)",\
        "y":"\(ForgedProvider.y)"},{"kty":"RSA","kid":"rsa","n":"\(String(repeating: "wQ", count: 171))","e":"AQAB",\
        "issuer":"https://issuer.example/{tenantid}/v2.0"},{"kty":"oct","k":"AAAA"}]}
        """
    private static let discovery = #"""
        {"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys","scopes_supported":["openid"],
        "claims_parameter_supported":false,"nested":{"deep":[1,2.5e3,null]}}
        """#

    private static let eventClaims = [
        #"""
        {"iss":"https://appleid.apple.com","aud":"app","iat":1790000000,"exp":1790086400,"jti":"a",
        "events":"{\"type\":\"consent-revoked\",\"sub\":\"001.bob\",\"event_time\":1789999999000}"}
        """#,
        #"{"iss":"i","aud":["app"],"iat":1790000000,"events":{"type":"email-disabled","sub":"b","event_time":1.5e3}}"#,
        #"""
        {"iss":"https://accounts.google.com/","aud":["app","web"],"iat":1790000000,"jti":"b","events":
        {"https://schemas.openid.net/secevent/risc/event-type/sessions-revoked":
        {"subject":{"subject_type":"iss-sub","iss":"https://accounts.google.com/","sub":"bob"}}}}
        """#,
    ]

    private static let signedRequest =
        "5bR_WpdbO5yOWCaCIS3bXWaqGMcVW8l4zvT41rZLwqU."
        + "eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsImlzc3VlZF9hdCI6MTc5MDAwMDAwMCwidXNlcl9pZCI6IjIxODQ3MSJ9"

    /// Data that providers send, and data that people present as theirs.
    static func identity() throws -> [FuzzedParser] {
        let provider = try ForgedProvider()
        let tokens = try ForgedProvider.claims.map { try provider.sign($0) }
        return [
            FuzzedParser(text: "JSON text", ForgedProvider.claims + [keys, discovery], tokens: .json) { text in
                guard let value = try? JSONReader.read(text.utf8) else { return false }
                // Our parser is stricter, except for numbers outside the range of a double.
                let isReadable =
                    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
                try PropertyViolation.unless(isReadable || value.containsInfinity, "Foundation reads it too")
                return true
            },
            FuzzedParser(text: "key set", [keys], tokens: .json) { (try? JSONWebKeySet($0.utf8)) != nil },
            FuzzedParser(text: "discovery document", [discovery], tokens: .json) { text in
                guard let document = try? DiscoveryDocument(text.utf8, of: ForgedProvider.issuer) else { return false }
                try PropertyViolation.unless(document.keySetURL.hasPrefix("https://"), "keys are fetched with https")
                return true
            },
            FuzzedParser(text: "Cache-Control", ["max-age=600", "public, max-age=\"60\", no-cache", "no-store"]) {
                text in
                guard let lifetime = KeySetSource.lifetime([.cacheControl: text]) else { return false }
                try PropertyViolation.unless(lifetime >= 0, "no lifetime is negative")
                return true
            },
            FuzzedParser(text: "form", ["a=b&c=d+e%20f&grant_type=authorization_code", "a&b=&c=%C3%A9"], tokens: .http)
            {
                FormParameters($0.utf8) != nil
            },
            FuzzedParser(text: "webhook", [#"{"payload":"\#(tokens[0])"}"#, " \(tokens[0])\n"], tokens: .json) { text in
                let formats: [any EventFormat] = [AppleEventFormat(), GoogleEventFormat()]
                return formats.contains { (try? CompactJWS($0.token(in: Data(text.utf8)))) != nil }
            },
            FuzzedParser(text: "event's claims", eventClaims, tokens: .json) { text in
                guard let claims = try? EventClaims(text.utf8) else { return false }
                let apple = try? AppleEventFormat().events(in: claims, .apple(audiences: ["app"]))
                let google = try? GoogleEventFormat().events(in: claims, .google(audiences: ["app"]))
                for event in (apple ?? []) + (google ?? []) {
                    try PropertyViolation.unless(
                        (1...255).contains(event.subject.utf8.count), "a subject has 1 to 255 bytes")
                    try PropertyViolation.unless(
                        event.at <= claims.issuedAt, "an event is not reported before it happened")
                }
                return apple != nil || google != nil
            },
            FuzzedParser(text: "Facebook's signed request", [signedRequest], tokens: .http) { text in
                guard (try? SignedRequest(text, secret: "secret")) != nil else { return false }
                try PropertyViolation.unless(text == signedRequest, "changed bytes have no valid signature")
                return true
            },
            FuzzedParser(text: "Facebook's callback", ["signed_request=\(signedRequest)"], tokens: .http) { text in
                let verifier = SignedRequestVerifier(
                    settings: .facebook(audiences: ["1"]), app: FacebookApp(id: "1", secret: "secret"),
                    now: { ForgedProvider.now })
                guard let events = try? await verifier.events(in: text.utf8, to: .dataDeletion) else { return false }
                try PropertyViolation.unless(
                    events.map(\.subject) == ["218471"], "changed bytes have no valid signature")
                return true
            },
            FuzzedParser(text: "identity token", tokens, tokens: .http) { text in
                guard try await provider.verify(text) != nil else { return false }
                try PropertyViolation.unless(tokens.contains(text), "changed bytes have no valid signature")
                return true
            },
            FuzzedParser(text: "identity token's header", [ForgedProvider.header], tokens: .json) { text in
                let token = try provider.sign(ForgedProvider.claims[0], header: text)
                return try await provider.verify(token) != nil
            },
            FuzzedParser(text: "identity token's claims", ForgedProvider.claims, tokens: .json) { text in
                guard let identity = try await provider.verify(try provider.sign(text)) else { return false }
                try check(identity)
                return true
            },
            FuzzedParser(text: "Microsoft token's claims", [ForgedProvider.microsoftClaims], tokens: .json) { text in
                let token = try provider.sign(text)
                guard let identity = try await provider.verifyAsMicrosoft(token) else { return false }
                let ids = identity.subject.split(separator: ".").compactMap { UUID(uuidString: String($0)) }
                try PropertyViolation.unless(ids.count == 2 && identity.email == nil, "two ids and no address")
                return true
            },
        ]
    }

    private static func check(_ identity: VerifiedIdentity) throws {
        try PropertyViolation.unless((1...255).contains(identity.subject.utf8.count), "a subject has 1 to 255 bytes")
        if let email = identity.email {
            try PropertyViolation.unless(email.address.utf8.count <= 254, "an address has at most 254 bytes")
        }
        try PropertyViolation.unless(
            abs(ForgedProvider.now.timeIntervalSince(identity.issuedAt)) <= 660, "an ID token is recent")
    }
}

extension JSONValue {
    fileprivate var containsInfinity: Bool {
        switch self {
        case .number(let number): number.isInfinite
        case .array(let elements): elements.contains(where: \.containsInfinity)
        case .object(let members): members.values.contains(where: \.containsInfinity)
        case .null, .bool, .string: false
        }
    }
}
