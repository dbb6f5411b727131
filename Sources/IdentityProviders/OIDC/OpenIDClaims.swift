import Accounts
import Foundation
import JSONCoding

/// The used claims of an ID token (OpenID Connect Core section 2), with their types checked. Security-relevant claims
/// are strict; a malformed claim about an e-mail address is only ignored.
struct OpenIDClaims: Sendable {
    let issuer: String
    let subject: String?
    /// The audiences; never empty.
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
    /// Whether this is a security event token (RFC 8417): these have the same issuers and are signed with the same
    /// keys.
    let hasEvents: Bool
    private let claims: [String: JSONValue]

    /// - Throws: `malformed`, naming the claim.
    init(_ payload: Data) throws(IdentityTokenError) {
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
        hasEvents = claims["events"] != nil
    }

    /// Returns a provider-specific claim.
    subscript(_ name: String) -> JSONValue? { claims[name] }

    /// Parses one string or an array of them (RFC 7519 section 4.1.3); an empty array is malformed.
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

    /// Parses a NumericDate (RFC 7519 section 2) between the years 1970 and 9999.
    static func date(
        _ name: String, in claims: [String: JSONValue]
    ) throws(IdentityTokenError) -> Date? {
        guard let value = claims[name] else { return nil }
        guard case .number(let seconds) = value, (0...253_402_300_799).contains(seconds) else {
            throw .malformed(name)
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Accepts strings, because Apple sometimes sends booleans as strings.
    private static func isTrue(_ value: JSONValue?) -> Bool {
        value == .bool(true) || value == .string("true")
    }

    /// Checks the form only: non-empty parts on both sides of the last `@`, at most 254 bytes (RFC 5321), no spaces or
    /// control characters.
    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return at != bytes.startIndex && bytes.index(after: at) != bytes.endIndex
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }
}
