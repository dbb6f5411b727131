import Foundation

/// The provider whose token format is simulated.
package enum DevelopmentTokenShape: Sendable {
    case apple
    case google
    case facebook
}

/// The claims of one token, encoded like those of the simulated provider.
struct DevelopmentClaims: Encodable, Sendable {
    let issuer: String
    let audience: String
    let issuedAt: Int
    let expiresAt: Int
    let codeHash: String?
    let shape: DevelopmentTokenShape
    let person: DevelopmentTokenRequest

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(issuer, forKey: Name("iss"))
        try container.encode(audience, forKey: Name("aud"))
        try container.encode(person.subject, forKey: Name("sub"))
        try container.encode(issuedAt, forKey: Name("iat"))
        try container.encode(expiresAt, forKey: Name("exp"))
        try container.encodeIfPresent(person.nonce, forKey: Name("nonce"))
        try container.encodeIfPresent(codeHash, forKey: Name("c_hash"))
        try container.encodeIfPresent(person.email, forKey: Name("email"))
        switch shape {
        case .apple: try encodeApple(into: &container)
        case .google: try encodeGoogle(into: &container)
        case .facebook: try container.encodeIfPresent(person.name, forKey: Name("name"))
        }
    }

    /// Apple encodes the booleans about the address as strings.
    private func encodeApple(into container: inout KeyedEncodingContainer<Name>) throws {
        if person.email != nil {
            try container.encode("\(person.emailVerified ?? true)", forKey: Name("email_verified"))
            try container.encode("\(person.isPrivateEmail ?? false)", forKey: Name("is_private_email"))
        }
        try container.encode(issuedAt, forKey: Name("auth_time"))
        try container.encode(person.nonceSupported ?? true, forKey: Name("nonce_supported"))
        try container.encodeIfPresent(person.transferID, forKey: Name("transfer_sub"))
    }

    private func encodeGoogle(into container: inout KeyedEncodingContainer<Name>) throws {
        if person.email != nil { try container.encode(person.emailVerified ?? true, forKey: Name("email_verified")) }
        try container.encode(audience, forKey: Name("azp"))
        try container.encodeIfPresent(person.name, forKey: Name("name"))
        try container.encodeIfPresent(person.hostedDomain, forKey: Name("hd"))
    }
}
