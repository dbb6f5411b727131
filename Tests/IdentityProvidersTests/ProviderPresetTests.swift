import Accounts
import Foundation
import PhotolalaTesting
import Testing

@testable import IdentityProviders

@Suite("the settings of Apple and Google")
struct ProviderPresetTests {
    private func email(
        _ kind: VerifierFixture.Kind, _ address: String, _ change: (inout TokenDraft) -> Void = { _ in }
    ) async throws -> VerifiedEmail? {
        let fixture = try VerifierFixture(kind)
        let token = try fixture.token { draft in
            draft.claim("email", "\"\(address)\"")
            draft.claim("email_verified", "true")
            change(&draft)
        }
        return try await fixture.verifier.verify(token).email
    }

    @Test(
        "a verified address of Apple or Google proves its owner, regardless of its domain",
        arguments: [
            VerifierFixture.Kind.apple, .google,
        ])
    func verifiedAddressIsProof(kind: VerifierFixture.Kind) async throws {
        for address in ["bob@icloud.com", "bob@GMAIL.com", "bob@example.com"] {
            let email = try await email(kind, address)
            #expect(email?.address == address)
            #expect(email?.provesOwnership == true)
        }
    }

    @Test(
        "an unverified or relay address does not prove its owner",
        arguments: [
            VerifierFixture.Kind.apple, .google,
        ])
    func otherAddressIsNoProof(kind: VerifierFixture.Kind) async throws {
        for verified in ["false", #""false""#, "null", "1"] {
            let email = try await email(kind, "bob@gmail.com") { $0.claim("email_verified", verified) }
            #expect(email?.provesOwnership != true, "email_verified \(verified)")
        }
        let relay = try await email(kind, "x1@icloud.com") { $0.claim("is_private_email", "true") }
        #expect(relay?.provesOwnership == false)
    }

    @Test("a relay address is identified by its claim, as boolean or string, or by its domain")
    func relayAddressesArePrivate() async throws {
        for claim in ["true", #""true""#] {
            let email = try await email(.apple, "x1@icloud.com") { $0.claim("is_private_email", claim) }
            #expect(email?.isPrivate == true)
        }
        #expect(try await email(.apple, "x1@PrivateRelay.appleid.com")?.isPrivate == true)
        #expect(try await email(.apple, "x1@privaterelay.appleid.com.example")?.isPrivate == false)
    }

    @Test("with trusted domains, a verified address proves its owner only at those domains")
    func trustedDomains() async throws {
        for (address, isProof) in [
            ("bob@example.com", true), ("bob@EXAMPLE.com", true), ("bob@example.com.evil", false),
            ("bob@example.com@evil.example", false), ("bob@gmail.com", false),
        ] {
            #expect(try await corporateEmail(address)?.provesOwnership == isProof, "\(address)")
        }
        let unverified = try await corporateEmail("bob@example.com", isVerified: false)
        #expect(unverified?.provesOwnership == false)
    }

    private func corporateEmail(_ address: String, isVerified: Bool = true) async throws -> VerifiedEmail? {
        let fixture = try VerifierFixture(.google)
        var settings = IdentityProviderSettings.google(audiences: ["app"])
        settings.emailTrust = .domains(["example.com"])
        let clock = fixture.clock
        let verifier = OpenIDTokenVerifier(
            settings: settings, transport: fixture.transport, logger: .init(label: "test"), now: { clock.now })
        let token = try fixture.token { draft in
            draft.claim("email", "\"\(address)\"")
            draft.claim("email_verified", "\(isVerified)")
        }
        return try await verifier.verify(token).email
    }

    @Test("Google's issuer is accepted in both forms, and Apple's only as configured")
    func issuerForms() async throws {
        let google = try VerifierFixture(.google)
        for issuer in ["https://accounts.google.com", "accounts.google.com"] {
            let token = try google.token { $0.claim("iss", "\"\(issuer)\"") }
            #expect(try await google.verifier.verify(token).subject == "001.bob")
        }
        let apple = try VerifierFixture(.apple)
        for issuer in ["https://account.apple.com", "https://appleid.apple.com/", "HTTPS://APPLEID.APPLE.COM"] {
            let token = try apple.token { $0.claim("iss", "\"\(issuer)\"") }
            await #expect(throws: IdentityTokenError.wrongIssuer) { try await apple.verifier.verify(token) }
        }
    }

    @Test("a configured app may request a token for the server's client id")
    func authorizedParties() async throws {
        let fixture = try VerifierFixture(.google)
        let token = try fixture.token { $0.claim("azp", #""android-app""#) }
        await #expect(throws: IdentityTokenError.wrongAudience) { try await fixture.verifier.verify(token) }
        let clock = fixture.clock
        var settings = IdentityProviderSettings.google(audiences: ["app"])
        settings.authorizedParties = ["android-app"]
        let verifier = OpenIDTokenVerifier(
            settings: settings, transport: fixture.transport, logger: .init(label: "test"), now: { clock.now }
        )
        #expect(try await verifier.verify(token).subject == "001.bob")
    }

    @Test("an audience is compared byte for byte")
    func audiencesAreExact() async throws {
        let fixture = try VerifierFixture(.apple)
        let clock = fixture.clock
        let verifier = OpenIDTokenVerifier(
            settings: .apple(audiences: ["K"]), transport: fixture.transport, logger: .init(label: "test"),
            now: { clock.now }
        )
        // U+212A, the Kelvin sign, equals the letter K in Swift's string comparison.
        for audience in [#""k""#, #""\u212a""#, #""K ""#] {
            let token = try fixture.token { $0.claim("aud", audience) }
            await #expect(throws: IdentityTokenError.wrongAudience) { try await verifier.verify(token) }
        }
    }

    @Test("settings report all of their problems at once")
    func settingsProblems() {
        #expect(IdentityProviderSettings.apple(audiences: ["app"]).problems(allowingPlainHTTP: false).isEmpty)
        #expect(IdentityProviderSettings.google(audiences: ["app"]).problems(allowingPlainHTTP: false).isEmpty)
        var settings = IdentityProviderSettings(
            name: .apple, issuers: ["http://127.0.0.1:1"], keySet: .url("http://127.0.0.1:1/keys"), audiences: []
        )
        settings.algorithms = []
        settings.maximumAge = -1
        settings.tokenURL = "ftp://127.0.0.1"
        #expect(settings.problems(allowingPlainHTTP: false).count == 6)
        #expect(settings.problems(allowingPlainHTTP: true).count == 4)
    }
}
