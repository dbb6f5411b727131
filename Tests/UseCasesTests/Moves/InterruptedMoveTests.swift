import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What happens to a move whose completion was interrupted.
@Suite struct InterruptedMoveTests {
    /// Completes a move on an instance that ends at one of its requests: before or after the identity has left.
    private func interrupt(_ fixture: MoveFixture, _ requested: RequestedMove, hasLeft: Bool) async throws {
        fixture.clock.advance(by: MoveFixture.day)
        for call in 0... {
            let memory = fixture.memory.copy { fixture.clock.now }
            let faulty = FaultyObjectStore(memory)
            let service = try await MoveFixture.instance(7, faulty, fixture.clock)
            faulty.arm(.stopAfter, at: call)
            _ = try? await fixture.complete(requested, on: service)
            let account = try #require(try await fixture.account(fixture.user, in: memory))
            let source = try #require(try await fixture.account(fixture.source, in: memory))
            guard account.arrival?.completion != nil, source.departure?.hasLeft == hasLeft else { continue }
            guard !hasLeft || source.links.allSatisfy({ $0.provider != .google }) else { continue }
            // The same on the fixture's store.
            let real = FaultyObjectStore(fixture.memory)
            let last = try await MoveFixture.instance(7, real, fixture.clock)
            real.arm(.stopAfter, at: call)
            _ = try? await fixture.complete(requested, on: last)
            return
        }
    }

    @Test("before the identity has left, the owner of either account can still stop it", arguments: [true, false])
    func stopped(byTarget: Bool) async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: false)
        let support = fixture.service.services.operators.support
        try await support.endSessions(
            of: byTarget ? fixture.user : fixture.source, reason: try MoveFixture.reason("Ticket 6"))
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(requested) }
        #expect(try await fixture.owner() == fixture.source)
        _ = try await fixture.request()
    }

    @Test("an identity that its owner unlinks before it has left does not move")
    func unlinked() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: false)
        let support = fixture.service.services.operators.support
        try await support.endSessions(of: fixture.source, reason: try MoveFixture.reason("Ticket 6"))
        let link = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject)).link.id
        let session = try await fixture.service.signIn(.facebook, "bob-facebook", device: 6).session
        let caller = try await fixture.service.caller(session)
        _ = try await fixture.service.services.linking.unlink(UnlinkRequest(linkID: link), caller: caller)
        fixture.clock.advance(by: 2 * MoveFixture.day)
        #expect(try await fixture.owner() == nil)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(requested) }
        #expect(try await fixture.owner() == nil)
    }

    @Test("an interrupted completion that began can be stopped by its expiry, and cancelled by an operator")
    func expiry() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: false)
        try await fixture.cancel()
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival == nil)
        let second = try await fixture.request()
        try await interrupt(fixture, second, hasLeft: false)
        fixture.clock.advance(by: 8 * MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(second) }
        #expect(try await fixture.owner() == fixture.source)
    }

    @Test("an identity that has left can only be linked: the move is neither cancelled nor replaced, and never expires")
    func departed() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: true)
        let move = try #require(UUID(uuidString: requested.move))
        await #expect(throws: IdentityMoves.Refusal.unfinished(move)) { try await fixture.cancel() }
        await #expect(throws: IdentityMoves.Refusal.unfinished(move)) { try await fixture.request() }
        let support = fixture.service.services.operators.support
        try await support.endSessions(of: fixture.user, reason: try MoveFixture.reason("Ticket 6"))
        fixture.clock.advance(by: 30 * MoveFixture.day)
        try await fixture.moves.finishMoves()
        #expect(try await fixture.owner() == fixture.user)
        #expect(try await fixture.accounts.account(fixture.source)?.value.departure == nil)
    }

    @Test("without the master key that sealed it, a move whose identity has left waits for the key")
    func missingKey() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: true)
        let account = try #require(try await fixture.accounts.account(fixture.user))
        let sealed = try #require(account.value.arrival?.sealedSource)
        var unreadable = account.value
        unreadable.arrival?.sealedSource = "k9.\(sealed)"
        let stored = try await fixture.accounts.documents.replace(
            AccountDirectory.key(fixture.user), account, with: unreadable)
        try await fixture.moves.finishMoves()
        await #expect(throws: (any Error).self) { try await fixture.cancel() }
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival != nil)
        var readable = stored.value
        readable.arrival?.sealedSource = sealed
        _ = try await fixture.accounts.documents.replace(
            AccountDirectory.key(fixture.user), stored, with: readable)
        try await fixture.moves.finishMoves()
        #expect(try await fixture.owner() == fixture.user)
    }

    @Test("an identity that signed up before it was linked stays there, also if its provider has revoked it")
    func taken() async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        try await interrupt(fixture, requested, hasLeft: true)
        let third = try await fixture.service.signUp(.google, MoveFixture.subject, device: 9).user.serviceUserID
        let found = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject))
        fixture.clock.advance(by: 60)
        _ = try await fixture.accounts.apply(
            ProviderEvent(.consentRevoked, subject: MoveFixture.subject, at: fixture.clock.now), of: found)
        await #expect(throws: IdentityMoves.Refusal.identityTaken) { try await fixture.complete(requested) }
        let kept = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject))
        #expect(kept.account.value.serviceUserID == third && kept.link.state == .revoked)
        #expect(try await fixture.accounts.account(fixture.user)?.value.arrival == nil)
    }

    @Test("of two requests for one account at once, one is recorded, and the other leaves nothing")
    func requests() async throws {
        for call in 0... {
            let fixture = try await MoveFixture()
            let other = try await fixture.service.signUp(.google, "eve-google", device: 8)
            _ = try await fixture.service.link(.facebook, "eve-facebook", in: other.session)
            let interrupted = InterruptedObjectStore(fixture.memory)
            let outer = try await MoveFixture.instance(2, interrupted, fixture.clock)
            interrupted.interrupt(before: call) {
                _ = try? await fixture.moves.request(
                    .google, "eve-google", to: fixture.user, by: fixture.bertha, reason: try MoveFixture.reason())
            }
            _ = try? await fixture.request(on: outer)
            guard !interrupted.isWaiting else { return }
            let arriving = try #require(try await fixture.accounts.account(fixture.user)?.value.arrival)
            let departing = [
                try await fixture.accounts.account(fixture.source)?.value.departure,
                try await fixture.accounts.account(other.user.serviceUserID)?.value.departure,
            ].compactMap { $0?.move }
            #expect(departing == [arriving.move], "request \(call)")
        }
    }
}
