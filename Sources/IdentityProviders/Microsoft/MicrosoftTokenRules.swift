import Accounts
import Foundation

/// Microsoft's identity platform, version 2.0: one service with an issuer for each tenant. The token says which, and so
/// do some of the keys.
struct MicrosoftTokenRules: OpenIDTokenRules {
    /// Stands in issuers for the tenant's id.
    static let placeholder = "{tenantid}"

    func acceptsIssuer(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool {
        guard let tenant = Self.id("tid", in: claims), claims["ver"]?.string == "2.0" else { return false }
        guard settings.tenants.isEmpty || settings.tenants.contains(tenant) else { return false }
        return settings.issuers.map { Self.issuer($0, of: tenant) }.containsBytes(of: claims.issuer)
    }

    /// A key with the template may sign for every tenant; one with an issuer of its own signs for that one alone, so that
    /// the keys of personal accounts vouch for nobody at work.
    func accepts(keyOf issuer: String?, for claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> Bool {
        guard let issuer, let tenant = Self.id("tid", in: claims) else { return false }
        return Self.issuer(issuer, of: tenant).utf8.elementsEqual(claims.issuer.utf8)
    }

    /// Tenant and object together: `sub` is another one for each of our apps, and an object's id alone is a guest's in
    /// another tenant too.
    func subject(of claims: OpenIDClaims) -> String? {
        guard let tenant = Self.id("tid", in: claims), let object = Self.id("oid", in: claims) else { return nil }
        return "\(tenant).\(object)"
    }

    /// Anybody who administrates a tenant can put any address into it.
    func email(of claims: OpenIDClaims, _ settings: IdentityProviderSettings) -> VerifiedEmail? { nil }

    private static func issuer(_ template: String, of tenant: String) -> String {
        template.replacing(placeholder, with: tenant)
    }

    /// A UUID in lower case, as Microsoft writes them.
    private static func id(_ name: String, in claims: OpenIDClaims) -> String? {
        guard let text = claims[name]?.string, UUID(uuidString: text)?.uuidString.lowercased() == text else {
            return nil
        }
        return text
    }
}
