import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Moves of identities that operators request.
@Suite struct IdentityMoveTests {
    @Test("a request is recorded and sent by both accounts with its date, and moves nothing for a day")
    func requested() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        #expect(requested.source == fixture.source && requested.needsSecondOperator)
        #expect(requested.effectiveAt == fixture.clock.now.addingTimeInterval(MoveFixture.day))
        for user in [fixture.source, fixture.user] {
            let entry = try #require(try await fixture.entries(of: user, 1).first)
            #expect(entry.act == .providerMoveRequested && entry.actor == .support && entry.provider == .google)
            #expect(entry.reason == "Ticket 4711" && entry.effectiveAt == requested.effectiveAt)
        }
        fixture.clock.advance(by: MoveFixture.day - 1)
        await #expect(throws: IdentityMoves.Refusal.tooEarly(effectiveAt: requested.effectiveAt)) {
            try await fixture.complete()
        }
        for _ in 0..<3 {
            try await fixture.service.services.eventDelivery.deliverEvents()
            fixture.clock.advance(by: 3600)
        }
        for user in [fixture.source, fixture.user] {
            let event = try #require(
                fixture.receiver.firstEvents(of: user).last { $0.type == .providerMoveRequested })
            #expect(event.effectiveAt == requested.effectiveAt && event.actor == .support)
        }
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
    }

    @Test("another operator completes it: the identity opens the other account, and its sessions end")
    func completed() async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        let staying = try #require(fixture.staying).session
        fixture.clock.advance(by: MoveFixture.day)
        let sessions = [
            try await fixture.service.signIn(.google, MoveFixture.subject, device: 5).session,
            try await fixture.service.signIn(.facebook, "bob-facebook", device: 6).session,
        ]
        let before = try #require(try await fixture.accounts.account(fixture.source)?.value)
        let old = try #require(before.links.first { $0.provider == .google })
        #expect(before.primaryLinkID == old.id)
        #expect(try await fixture.complete() == fixture.source)

        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.user)
        await #expect(throws: ServiceError.sessionEnded) { try await fixture.service.caller(sessions[0]) }
        #expect(try await fixture.service.caller(sessions[1]).user == fixture.source)
        #expect(staying.deviceID != sessions[1].deviceID)
        let source = try #require(try await fixture.accounts.account(fixture.source)?.value)
        #expect(source.links.map(\.provider) == [.facebook] && source.departure == nil)
        #expect(source.primaryLinkID == source.links.first?.id)
        let account = try #require(try await fixture.accounts.account(fixture.user)?.value)
        #expect(account.arrival == nil)
        let link = try #require(account.links.first { $0.provider == .google })
        #expect(link.method == .support && link.id != old.id && link.emailHint == old.emailHint)
        #expect(link.emailHint != nil && fixture.accounts.email(of: link, user: fixture.user) == MoveFixture.email)
        #expect(try await fixture.accounts.emailHints.isMissing(for: link) == false)

        let left = try #require(try await fixture.entries(of: fixture.source, 1).first)
        #expect(left.act == .providerUnlinked && left.actor == .support && left.reason == "Ticket 4712")
        let linked = try #require(
            try await fixture.entries(of: fixture.user, 3).first { $0.act == .providerLinked })
        #expect(linked.actor == .support && linked.reason == "Ticket 4712" && linked.link == link.id)
    }

    @Test("the requesting operator, or a successor of their key, cannot complete it")
    func sameOperator() async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        for key in [
            MoveFixture.first, MovingOperator(keyID: "00000000000000c3", name: "alice"),
            MovingOperator(keyID: MoveFixture.first.keyID, name: "other"),
        ] {
            await #expect(throws: IdentityMoves.Refusal.secondOperatorRequired) { try await fixture.complete(by: key) }
        }
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
    }

    @Test("one operator suffices if the person proved both the identity and one of the account")
    func proven() async throws {
        let fixture = try await MoveFixture()
        let moving = try fixture.service.token(.google, MoveFixture.subject)
        let own = try fixture.service.token(.apple, "bob-apple")
        let requested = try await fixture.moves.request(
            .idToken(.google, moving), to: fixture.user, proof: (.apple, own), by: MoveFixture.first,
            reason: try MoveFixture.reason())
        #expect(!requested.needsSecondOperator)
        fixture.clock.advance(by: MoveFixture.day)
        #expect(try await fixture.complete(by: MoveFixture.first) == fixture.source)
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.user)
    }

    @Test("only one of the two proofs still needs a second operator")
    func halfProven() async throws {
        let fixture = try await MoveFixture()
        let own = try fixture.service.token(.apple, "bob-apple")
        let byName = try await fixture.moves.request(
            MoveFixture.identity, to: fixture.user, proof: (.apple, own), by: MoveFixture.first,
            reason: try MoveFixture.reason())
        #expect(byName.needsSecondOperator)
        try await fixture.moves.cancel(to: fixture.user, reason: try MoveFixture.reason())
        let moving = try fixture.service.token(.google, MoveFixture.subject)
        let byToken = try await fixture.moves.request(
            .idToken(.google, moving), to: fixture.user, proof: nil, by: MoveFixture.first,
            reason: try MoveFixture.reason())
        #expect(byToken.needsSecondOperator)
    }

    @Test("a token proves an account only if it is recent and of an identity that the account has had for a day")
    func wrongProof() async throws {
        let fixture = try await MoveFixture()
        let moving = try fixture.service.token(.google, MoveFixture.subject)
        func request(_ provider: ProviderName, _ token: String) async throws {
            _ = try await fixture.moves.request(
                .idToken(.google, moving), to: fixture.user, proof: (provider, token), by: MoveFixture.first,
                reason: try MoveFixture.reason())
        }
        let other = try fixture.service.token(.facebook, "bob-facebook")
        await #expect(throws: IdentityMoves.Refusal.notProven) { try await request(.facebook, other) }
        let signedIn = try await fixture.service.signIn(.apple, "bob-apple", device: 7)
        _ = try await fixture.service.link(.facebook, "attacker", in: signedIn.session)
        let new = try fixture.service.token(.facebook, "attacker")
        await #expect(throws: IdentityMoves.Refusal.notProven) { try await request(.facebook, new) }
        let old = try fixture.service.token(.apple, "bob-apple")
        fixture.clock.advance(by: 601)
        let fresh = try fixture.service.token(.google, MoveFixture.subject)
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            try await fixture.moves.request(
                .idToken(.google, fresh), to: fixture.user, proof: (.apple, old), by: MoveFixture.first,
                reason: try MoveFixture.reason())
        }
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival == nil)
    }

    @Test("the owner of either account stops it by signing out everywhere", arguments: [true, false])
    func stopped(isTarget: Bool) async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        let back =
            isTarget
            ? try await fixture.service.signIn(.apple, "bob-apple", device: 3)
            : try await fixture.service.signIn(.facebook, "bob-facebook", device: 2)
        try await fixture.service.services.sessions.signOutEverywhere(
            try await fixture.service.caller(back.session))
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete() }
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
    }

    @Test("a cancelled or expired move cannot be completed, and both accounts record that it was cancelled")
    func cancelled() async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        try await fixture.moves.cancel(to: fixture.user, reason: try MoveFixture.reason("Ticket 9"))
        for user in [fixture.source, fixture.user] {
            let entry = try #require(try await fixture.entries(of: user, 1).first)
            #expect(entry.act == .providerMoveCancelled && entry.reason == "Ticket 9" && entry.provider == .google)
        }
        await #expect(throws: IdentityMoves.Refusal.notRequested) {
            try await fixture.moves.cancel(to: fixture.user, reason: try MoveFixture.reason())
        }
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete() }
        try await fixture.request()
        await #expect(throws: IdentityMoves.Refusal.self) { try await fixture.request() }
        fixture.clock.advance(by: 8 * MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete() }
        try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete()
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.user)
    }
}
