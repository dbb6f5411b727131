import Accounts
import Foundation

/// The rules for Microsoft's identity platform, version 2.0: one service with an issuer for each tenant, which the
/// token names, as do some of the keys.
struct MicrosoftTokenRules: OpenIDTokenRules {
    /// The placeholder for the tenant id in issuers.
    static let placeholder = "{tenantid}"

    func acceptsIssuer(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool {
        guard let tenant = Self.id("tid", in: claims), claims["ver"]?.string == "2.0" else { return false }
        guard settings.tenants.isEmpty || settings.tenants.contains(tenant) else { return false }
        return settings.issuers.map { Self.issuer($0, of: tenant) }.containsBytes(of: claims.issuer)
    }

    /// Accepts a key with the issuer template for every tenant, and a key with a specific issuer for that issuer only,
    /// so that keys of personal accounts cannot sign for work accounts.
    func accepts(keyOf issuer: String?, for claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool {
        guard let issuer, let tenant = Self.id("tid", in: claims) else { return false }
        return Self.issuer(issuer, of: tenant).utf8.elementsEqual(claims.issuer.utf8)
    }

    /// Returns the tenant and object ids together: `sub` differs between apps, and an object id also appears in other
    /// tenants where the person is a guest.
    func subject(of claims: OpenIDClaims) -> String? {
        guard let tenant = Self.id("tid", in: claims), let object = Self.id("oid", in: claims) else { return nil }
        return "\(tenant).\(object)"
    }

    /// Returns `nil`, because a tenant's administrators can set any address.
    func email(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> VerifiedEmail? { nil }

    private static func issuer(_ template: String, of tenant: String) -> String {
        template.replacing(placeholder, with: tenant)
    }

    /// Returns a lower-case UUID, as Microsoft writes them.
    private static func id(_ name: String, in claims: OpenIDClaims) -> String? {
        guard let text = claims[name]?.string, UUID(uuidString: text)?.uuidString.lowercased() == text else {
            return nil
        }
        return text
    }
}
