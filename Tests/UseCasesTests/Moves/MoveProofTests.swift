import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Moves that the person proved.
@Suite struct MoveProofTests {
    @Test("one operator suffices if the person proved both the identity and one of the account")
    func proven() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.prove(.apple, "bob-apple")
        #expect(!requested.needsSecondOperator)
        fixture.clock.advance(by: MoveFixture.day)
        #expect(try await fixture.complete(requested, by: fixture.alice) == fixture.source)
        #expect(try await fixture.owner() == fixture.user)
    }

    @Test("only an identity that the account has had for a day, and that is not being unlinked, proves the account")
    func wrongProof() async throws {
        let fixture = try await MoveFixture()
        await #expect(throws: MoveProofs.Refusal.notProven) { try await fixture.prove(.facebook, "bob-facebook") }
        let signedIn = try await fixture.service.signIn(.apple, "bob-apple", device: 7)
        _ = try await fixture.service.link(.facebook, "new", in: signedIn.session)
        await #expect(throws: MoveProofs.Refusal.notProven) { try await fixture.prove(.facebook, "new") }
        fixture.clock.advance(by: MoveFixture.day)
        _ = try await fixture.prove(.facebook, "new")
        try await fixture.cancel()
        let new = try await fixture.service.signIn(.facebook, "new", device: 8)
        try await fixture.service.unlink(.apple, in: new.session)
        await #expect(throws: MoveProofs.Refusal.notProven) { try await fixture.prove(.apple, "bob-apple") }
    }

    @Test("a proof whose identity was unlinked since counts no longer: another operator must complete the move")
    func withdrawn() async throws {
        let fixture = try await MoveFixture()
        let owner = try await fixture.service.signIn(.apple, "bob-apple", device: 7)
        _ = try await fixture.service.link(.facebook, "stolen", in: owner.session)
        fixture.clock.advance(by: 2 * MoveFixture.day)
        let requested = try await fixture.prove(.facebook, "stolen")
        let again = try await fixture.service.signIn(.apple, "bob-apple", device: 7)
        try await fixture.service.unlink(.facebook, in: again.session)
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.secondOperatorRequired) {
            try await fixture.complete(requested, by: fixture.alice)
        }
        #expect(try await fixture.owner() == fixture.source)
    }

    @Test("a proof whose identity is being unlinked since counts no longer")
    func pendingUnlink() async throws {
        let fixture = try await MoveFixture()
        let owner = try await fixture.service.signIn(.apple, "bob-apple", device: 7)
        _ = try await fixture.service.link(.facebook, "second", in: owner.session)
        fixture.clock.advance(by: 2 * MoveFixture.day)
        let requested = try await fixture.prove(.apple, "bob-apple")
        fixture.clock.advance(by: MoveFixture.day / 2)
        let second = try await fixture.service.signIn(.facebook, "second", device: 8)
        try await fixture.service.unlink(.apple, in: second.session)
        fixture.clock.advance(by: MoveFixture.day / 2)
        await #expect(throws: IdentityMoves.Refusal.secondOperatorRequired) {
            try await fixture.complete(requested, by: fixture.alice)
        }
        #expect(try await fixture.complete(requested) == fixture.source)
    }

    @Test("tokens prove a move only with an unused challenge of the account as their nonce")
    func challenges() async throws {
        let fixture = try await MoveFixture()
        let proofs = fixture.service.services.operators.moveProofs
        let challenge = try proofs.makeChallenge(to: fixture.user).challenge
        let other = try proofs.makeChallenge(to: fixture.source).challenge
        let signIn = try fixture.service.services.identities.makeChallenge(
            ChallengeRequest(purpose: .signin, deviceID: TestService.device(3).id), caller: nil
        ).challenge
        for (nonce, challenge) in [(other, other), (signIn, signIn), (other, challenge), ("", challenge)] {
            let error = await ServiceError.caught {
                _ = try await fixture.prove(.apple, "bob-apple", nonce: nonce, challenge: challenge)
            }
            guard case .invalidChallenge? = error else {
                Issue.record("\(nonce) \(challenge): \(String(describing: error))")
                continue
            }
        }
        _ = try await fixture.prove(.apple, "bob-apple", challenge: challenge)
        try await fixture.cancel()
        await #expect(throws: ServiceError.invalidChallenge(.alreadyUsed)) {
            try await fixture.prove(.apple, "bob-apple", challenge: challenge)
        }
        let late = try proofs.makeChallenge(to: fixture.user).challenge
        fixture.clock.advance(by: 601)
        await #expect(throws: ServiceError.invalidChallenge(.expired)) {
            try await fixture.prove(.apple, "bob-apple", challenge: late)
        }
    }
}
