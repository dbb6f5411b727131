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
        #expect(requested.from == fixture.source && requested.needsSecondOperator)
        #expect(requested.effectiveAt == fixture.clock.now.addingTimeInterval(MoveFixture.day))
        for user in [fixture.source, fixture.user] {
            let entry = try #require(try await fixture.entries(of: user, 1).first)
            #expect(entry.act == .providerMoveRequested && entry.actor == .support && entry.provider == .google)
            #expect(entry.reason == "Ticket 4711" && entry.effectiveAt == requested.effectiveAt)
        }
        fixture.clock.advance(by: MoveFixture.day - 1)
        await #expect(throws: IdentityMoves.Refusal.tooEarly(effectiveAt: requested.effectiveAt)) {
            try await fixture.complete(requested)
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
        #expect(try await fixture.owner() == fixture.source)
    }

    @Test("another operator completes it: the identity opens the other account, and its sessions end")
    func completed() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        let sessions = [
            try await fixture.service.signIn(.google, MoveFixture.subject, device: 5).session,
            try await fixture.service.signIn(.facebook, "bob-facebook", device: 6).session,
        ]
        let before = try #require(try await fixture.accounts.account(fixture.source)?.value)
        let old = try #require(before.links.first { $0.provider == .google })
        #expect(before.primaryLinkID == old.id && requested.link == old.id)
        #expect(try await fixture.complete(requested) == fixture.source)

        #expect(try await fixture.owner() == fixture.user)
        await #expect(throws: ServiceError.sessionEnded) { try await fixture.service.caller(sessions[0]) }
        #expect(try await fixture.service.caller(sessions[1]).user == fixture.source)
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
        #expect(try await fixture.accounts.moveMarks(after: nil).marks.isEmpty)
    }

    @Test("the requesting operator, or a successor of their key, cannot complete it")
    func sameOperator() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        let successor = try await fixture.service.services.operators.calls.keys.rotate(
            fixture.alice.id, overlap: 3600, endsAt: nil
        ).key
        for key in [fixture.alice, successor] {
            await #expect(throws: IdentityMoves.Refusal.secondOperatorRequired) {
                try await fixture.complete(requested, by: key)
            }
        }
        #expect(try await fixture.owner() == fixture.source)
    }

    @Test("the owner of either account stops it by signing out everywhere", arguments: [true, false])
    func stopped(isTarget: Bool) async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        let back =
            isTarget
            ? try await fixture.service.signIn(.apple, "bob-apple", device: 3)
            : try await fixture.service.signIn(.facebook, "bob-facebook", device: 2)
        try await fixture.service.services.sessions.signOutEverywhere(
            try await fixture.service.caller(back.session))
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(requested) }
        #expect(try await fixture.owner() == fixture.source)
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival == nil)
        #expect(try await fixture.request().move != requested.move)
    }

    @Test("a cancelled or expired move cannot be completed, and both accounts record that it was cancelled")
    func cancelled() async throws {
        let fixture = try await MoveFixture()
        let first = try await fixture.request()
        try await fixture.cancel()
        for user in [fixture.source, fixture.user] {
            let entry = try #require(try await fixture.entries(of: user, 1).first)
            #expect(entry.act == .providerMoveCancelled && entry.reason == "Ticket 9" && entry.provider == .google)
        }
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.cancel() }
        let second = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(first) }
        await #expect(throws: IdentityMoves.Refusal.requested(try #require(UUID(uuidString: second.move)))) {
            try await fixture.request()
        }
        fixture.clock.advance(by: 7 * MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(second) }
        let third = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete(third)
        #expect(try await fixture.owner() == fixture.user)
    }

    @Test("the job removes an expired move from both accounts", arguments: [true, false])
    func expired(isErased: Bool) async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        let job = fixture.moves
        try await job.finishMoves()
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival != nil)
        if isErased {
            let support = fixture.service.services.operators.support
            _ = try await support.scheduleDeletion(of: fixture.source, reason: try MoveFixture.reason())
        } else {
            fixture.clock.advance(by: 8 * MoveFixture.day)
        }
        try await job.finishMoves()
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival == nil)
        #expect(try await fixture.accounts.account(fixture.source)?.value.departure == nil)
        #expect(try await fixture.accounts.moveMarks(after: nil).marks.isEmpty)
        let entry = try #require(try await fixture.entries(of: fixture.user, 1).first)
        #expect(entry.act == .providerMoveCancelled && entry.actor == .service)
    }
}
