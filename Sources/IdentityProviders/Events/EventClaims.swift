import Accounts
import Foundation
import JSONCoding

/// The used claims of a security event token (RFC 8417 section 2.2), with their types checked.
struct EventClaims: Sendable {
    let issuer: String
    /// The audiences; never empty.
    let audiences: [String]
    let issuedAt: Date
    /// The expiry; security event tokens need not expire.
    let expiresAt: Date?
    /// The events, unparsed because providers use different formats.
    let events: JSONValue

    /// - Throws: `malformed`, naming the claim.
    init(_ payload: some Sequence<UInt8>) throws(IdentityTokenError) {
        guard let claims = (try? JSONReader.read(payload))?.object else { throw .malformed("claims") }
        guard let issuer = claims["iss"]?.string else { throw .malformed("iss") }
        self.issuer = issuer
        audiences = try OpenIDClaims.audiences(claims["aud"])
        guard let issuedAt = try OpenIDClaims.date("iat", in: claims) else { throw .malformed("iat") }
        self.issuedAt = issuedAt
        expiresAt = try OpenIDClaims.date("exp", in: claims)
        guard let events = claims["events"] else { throw .malformed("events") }
        self.events = events
    }
}
