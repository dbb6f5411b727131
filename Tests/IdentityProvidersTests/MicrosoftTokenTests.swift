import Accounts
import Foundation
import Logging
import PhotolalaTesting
import Testing

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

@Suite("Microsoft tokens with an issuer for each tenant")
struct MicrosoftTokenTests {
    private static let tenant = "11111111-2222-4333-8444-555555555555"
    private static let other = "99999999-2222-4333-8444-555555555555"
    private static let object = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
    private static let template = "https://login.microsoftonline.com/{tenantid}/v2.0"

    private static func issuer(_ tenant: String) -> String { template.replacing("{tenantid}", with: tenant) }

    /// Verifies a token whose key belongs to this issuer.
    private func verify(
        keyOf issuer: String? = template, tenants: [String] = [], _ change: (inout TokenDraft) -> Void = { _ in }
    ) async throws -> VerifiedIdentity {
        let fixture = try VerifierFixture(.apple)
        let document = String(decoding: try VerifierFixture.providerKey.get().keySetDocument, as: UTF8.self)
        let named = issuer.map { document.replacing(#""kty""#, with: "\"issuer\":\"\($0)\",\"kty\"") } ?? document
        // Microsoft's keys name no algorithm.
        let keys = named.replacing(#","alg":"RS256""#, with: "").replacing(#""alg":"RS256","#, with: "")
        #expect(!keys.contains("RS256"))
        var settings = IdentityProviderSettings.microsoft(audiences: ["app"])
        settings.tenants = tenants
        let clock = fixture.clock
        let verifier = OpenIDTokenVerifier(
            settings: settings, transport: CountingTransport(body: Data(keys.utf8)), logger: Logger(label: "test"),
            now: { clock.now }
        )
        return try await verifier.verify(
            fixture.token { draft in
                draft.claim("iss", "\"\(Self.issuer(Self.tenant))\"")
                draft.claim("tid", "\"\(Self.tenant)\"")
                draft.claim("oid", "\"\(Self.object)\"")
                draft.claim("ver", #""2.0""#)
                draft.claim("email", #""ceo@victim.example""#)
                draft.claim("email_verified", "true")
                draft.claim("xms_edov", "true")
                change(&draft)
            })
    }

    @Test("the identity consists of tenant and object, regardless of subject and address")
    func identity() async throws {
        let identity = try await verify()
        #expect(identity.provider == .microsoft && identity.subject == "\(Self.tenant).\(Self.object)")
        #expect(identity.email == nil)
        #expect(try await verify { $0.claim("sub", #""another""#) }.subject == identity.subject)
        let guest = try await verify { draft in
            draft.claim("iss", "\"\(Self.issuer(Self.other))\"")
            draft.claim("tid", "\"\(Self.other)\"")
        }
        #expect(guest.subject != identity.subject)
    }

    @Test(
        "a token whose issuer, tenant and version do not agree is refused",
        arguments: [
            ("iss", "\"\(issuer(other))\""), ("tid", "\"\(other)\""), ("tid", "null"), ("tid", #""common""#),
            ("tid", "\"\(tenant.uppercased().replacing("1", with: "A"))\""), ("tid", "\"{tenantid}\""),
            ("iss", "\"\(template)\""), ("iss", "\"https://sts.windows.net/\(tenant)/\""), ("ver", #""1.0""#),
            ("ver", "2.0"), ("iss", "\"\(issuer(tenant))/\""),
        ])
    func wrongIssuer(claim: String, value: String) async throws {
        await #expect(throws: IdentityTokenError.wrongIssuer) { try await verify { $0.claim(claim, value) } }
    }

    @Test("a token without a valid object id is refused", arguments: ["null", #""""#, #""bob""#])
    func noObject(value: String) async throws {
        await #expect(throws: IdentityTokenError.badSubject) { try await verify { $0.claim("oid", value) } }
    }

    @Test("a key with an issuer of its own signs only for that issuer")
    func keyIssuers() async throws {
        #expect(try await verify(keyOf: Self.issuer(Self.tenant)).subject == "\(Self.tenant).\(Self.object)")
        for issuer in [Self.issuer(Self.personal), Self.issuer(Self.other), nil, ""] {
            await #expect(throws: IdentityTokenError.wrongIssuer) { try await verify(keyOf: issuer) }
        }
    }

    @Test("with configured tenants, people of other tenants are refused")
    func namedTenants() async throws {
        #expect(try await verify(tenants: [Self.other, Self.tenant]).provider == .microsoft)
        await #expect(throws: IdentityTokenError.wrongIssuer) { try await verify(tenants: [Self.other]) }
    }
}
