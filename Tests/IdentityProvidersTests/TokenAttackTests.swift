import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import IdentityProviders

@Suite("forged tokens")
struct TokenAttackTests {
    @Test("a genuine token is accepted in every form that a provider may use", arguments: VerifierFixture.Kind.allCases)
    func genuineTokensAreAccepted(kind: VerifierFixture.Kind) async throws {
        try await VerifierFixture(kind).conformance.checkGenuineTokens()
    }

    @Test("an attack is refused for the right reason", arguments: TokenAttack.all, VerifierFixture.Kind.allCases)
    func attacksAreRefused(attack: TokenAttack, kind: VerifierFixture.Kind) async throws {
        try await VerifierFixture(kind).conformance.expectRejection(attack)
    }

    @Test("the whole conformance kit passes")
    func theKitPasses() async throws {
        try await VerifierFixture(.es256).conformance.check()
    }

    @Test("the conformance kit detects a verifier that accepts everything")
    func theKitCanFail() async throws {
        let fixture = try VerifierFixture(.es256)
        let gullible = GullibleVerifier(provider: fixture.verifier.provider, now: fixture.clock.now)
        let kit = IdentityTokenVerifierConformance(
            verifier: gullible, genuine: fixture.genuine, now: fixture.clock.now, sign: fixture.sign
        )
        for attack in TokenAttack.all {
            let failure = await #expect(throws: VerifierConformanceFailure.self) {
                try await kit.expectRejection(attack)
            }
            #expect(failure?.description == "\(attack): accepted")
        }
    }

    @Test("attacks that can be detected without a key cause no fetch")
    func cheapChecksComeFirst() async throws {
        let fixture = try VerifierFixture(.apple)
        for attack in TokenAttack.all { try? await fixture.conformance.expectRejection(attack) }
        // Only the attacks with an unknown key id or a wrong signature need the keys: one fetch.
        #expect(fixture.transport.count == 1)
    }

    @Test("a valid signature with an algorithm that the provider does not use is refused")
    func algorithmsAreFixedBeforehand() async throws {
        let fixture = try VerifierFixture(.apple)
        for algorithm in ["none", "HS256", "RS512", "PS256", "ES256"] {
            let token = try fixture.token { $0.header("alg", "\"\(algorithm)\"") }
            await #expect(throws: IdentityTokenError.algorithmRefused) { try await fixture.verifier.verify(token) }
        }
        #expect(fixture.transport.count == 0)
    }

    @Test("a genuine token is accepted after a forged one")
    func junkPoisonsNothing() async throws {
        let fixture = try VerifierFixture(.apple)
        let junk = try fixture.token { draft in
            draft.header("alg", #""RS512""#)
            draft.signer = .stranger
        }
        _ = try? await fixture.verifier.verify(junk)
        _ = try? await fixture.verifier.verify(fixture.token { $0.signer = .stranger })
        #expect(try await fixture.verifier.verify(fixture.token()).subject == "001.bob")
    }
}

private struct GullibleVerifier: IdentityTokenVerifier {
    let provider: ProviderName
    let now: Date

    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        VerifiedIdentity(provider: provider, subject: "anybody", issuedAt: now)
    }
}
