import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import IdentityProviders

@Suite("Tokens that a stranger made")
struct TokenAttackTests {
    @Test("A genuine token is accepted in every form a provider may give it", arguments: VerifierFixture.Kind.allCases)
    func genuineTokensAreAccepted(kind: VerifierFixture.Kind) async throws {
        try await VerifierFixture(kind).conformance.acceptsGenuineTokens()
    }

    @Test("An attack is refused for the right reason", arguments: TokenAttack.all, VerifierFixture.Kind.allCases)
    func attacksAreRefused(attack: TokenAttack, kind: VerifierFixture.Kind) async throws {
        try await VerifierFixture(kind).conformance.refuses(attack)
    }

    @Test("The whole kit passes in one go")
    func theKitPasses() async throws {
        try await VerifierFixture(.es256).conformance.check()
    }

    @Test("The kit notices a verifier that accepts everything")
    func theKitCanFail() async throws {
        let fixture = try VerifierFixture(.es256)
        let gullible = GullibleVerifier(provider: fixture.verifier.provider, now: fixture.clock.now)
        let kit = IdentityTokenVerifierConformance(
            verifier: gullible, genuine: fixture.genuine, now: fixture.clock.now, sign: fixture.sign
        )
        for attack in TokenAttack.all {
            await #expect(throws: VerifierConformanceFailure.self) { try await kit.refuses(attack) }
        }
    }

    @Test("What can be seen without a key never causes a fetch")
    func cheapChecksComeFirst() async throws {
        let fixture = try VerifierFixture(.apple)
        for attack in TokenAttack.all { try? await fixture.conformance.refuses(attack) }
        // Only the attacks with an unknown key id and with a stranger's signature get as far as the keys: one fetch.
        #expect(fixture.transport.count == 1)
    }

    @Test("A genuine signature under an algorithm that the provider does not use is refused")
    func algorithmsAreFixedBeforehand() async throws {
        let fixture = try VerifierFixture(.apple)
        for algorithm in ["none", "HS256", "RS512", "PS256", "ES256"] {
            let token = try fixture.token { $0.header("alg", "\"\(algorithm)\"") }
            await #expect(throws: IdentityTokenError.algorithmRefused) { try await fixture.verifier.verify(token) }
        }
        #expect(fixture.transport.count == 0)
    }

    @Test("A junk token spoils nothing for the genuine one after it")
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
