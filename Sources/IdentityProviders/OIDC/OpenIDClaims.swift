import Accounts
import Foundation
import JWS

/// The claims of an ID token (OpenID Connect Core section 2) that are used, with their types checked and nothing else.
/// Claims that decide are strict; a strange value in a fact about an e-mail address costs that fact only.
struct OpenIDClaims: Sendable {
    let issuer: String
    let subject: String?
    /// Never empty.
    let audiences: [String]
    let authorizedParty: String?
    let expiresAt: Date
    let issuedAt: Date
    let notBefore: Date?
    let nonce: String?
    let email: String?
    let emailIsVerified: Bool
    let emailIsPrivate: Bool
    let hostedDomain: String?
    /// Security event tokens (RFC 8417) come from the same issuers, signed with the same keys.
    let holdsEvents: Bool
    private let claims: [String: JSONValue]

    /// - Throws: `malformed`, naming the claim.
    init(_ payload: some Sequence<UInt8>) throws(IdentityTokenError) {
        guard let claims = (try? JSONReader.read(payload))?.object else { throw .malformed("claims") }
        guard let issuer = claims["iss"]?.string else { throw .malformed("iss") }
        self.issuer = issuer
        self.claims = claims
        subject = claims["sub"]?.string
        audiences = try Self.audiences(claims["aud"])
        authorizedParty = try Self.text("azp", in: claims)
        guard let expiresAt = try Self.date("exp", in: claims) else { throw .malformed("exp") }
        self.expiresAt = expiresAt
        guard let issuedAt = try Self.date("iat", in: claims) else { throw .malformed("iat") }
        self.issuedAt = issuedAt
        notBefore = try Self.date("nbf", in: claims)
        nonce = try Self.text("nonce", in: claims)
        email = claims["email"]?.string.flatMap { Self.isAddress($0) ? $0 : nil }
        emailIsVerified = Self.isTrue(claims["email_verified"])
        emailIsPrivate = Self.isTrue(claims["is_private_email"])
        hostedDomain = claims["hd"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        holdsEvents = claims["events"] != nil
    }

    /// A claim that only this provider has.
    subscript(_ name: String) -> JSONValue? { claims[name] }

    /// One string or an array of them (RFC 7519 section 4.1.3); an empty array is meant for nobody.
    static func audiences(_ value: JSONValue?) throws(IdentityTokenError) -> [String] {
        let audiences = value?.string.map { [$0] } ?? value?.strings ?? []
        guard !audiences.isEmpty else { throw .malformed("aud") }
        return audiences
    }

    private static func text(
        _ name: String, in claims: [String: JSONValue]
    ) throws(IdentityTokenError) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = value.string else { throw .malformed(name) }
        return text
    }

    /// A NumericDate (RFC 7519 section 2) within the years that a calendar can hold.
    static func date(
        _ name: String, in claims: [String: JSONValue]
    ) throws(IdentityTokenError) -> Date? {
        guard let value = claims[name] else { return nil }
        guard case .number(let seconds) = value, (0...253_402_300_799).contains(seconds) else {
            throw .malformed(name)
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Apple sends booleans as strings at times.
    private static func isTrue(_ value: JSONValue?) -> Bool {
        value == .bool(true) || value == .string("true")
    }

    /// Shape only: something on both sides of the last `@`, at most 254 bytes (RFC 5321), no blanks or controls.
    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return at != bytes.startIndex && bytes.index(after: at) != bytes.endIndex
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }
}
