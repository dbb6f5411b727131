import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Moves that the state of an account forbids, and what moves with the identity.
@Suite struct IdentityMoveRefusalTests {
    @Test("the only identity leaves its account only if the account's deletion is scheduled, which is then final")
    func onlyIdentity() async throws {
        let fixture = try await MoveFixture(isOnly: true)
        await #expect(throws: IdentityMoves.Refusal.lastProvider) { try await fixture.request() }
        let support = fixture.service.services.operators.support
        _ = try await support.scheduleDeletion(of: fixture.source, reason: try MoveFixture.reason())
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete(requested)
        #expect(try await fixture.owner() == fixture.user)
        await #expect(throws: AccountSupport.Refusal.noIdentity) {
            try await support.cancelDeletion(of: fixture.source, reason: try MoveFixture.reason())
        }
        let deletion = try #require(try await fixture.accounts.account(fixture.source)?.value.deletion)
        let code = try fixture.service.components.deletionCodes.makeUndoCode(deletion.id, of: fixture.source)
        await #expect(throws: ServiceError.lastProvider) {
            try await fixture.service.services.deletion.cancel(undoCode: code)
        }
        fixture.clock.advance(by: 30 * MoveFixture.day)
        for _ in 0..<12 {
            try await fixture.service.services.eventDelivery.deliverEvents()
            try await fixture.service.services.accountErasure.eraseDueAccounts()
            fixture.clock.advance(by: 3600)
        }
        #expect(try await fixture.accounts.account(fixture.source) == nil)
        #expect(try await fixture.owner() == fixture.user)
    }

    @Test("a disabled account neither gives nor gets an identity, and disabling stops a requested move")
    func disabled() async throws {
        let fixture = try await MoveFixture()
        let support = fixture.service.services.operators.support
        for user in [fixture.source, fixture.user] {
            try await support.disable(user, reason: try MoveFixture.reason())
            await #expect(throws: IdentityMoves.Refusal.accountClosed) { try await fixture.request() }
            try await support.enable(user, reason: try MoveFixture.reason())
            let requested = try await fixture.request()
            try await support.disable(user, reason: try MoveFixture.reason())
            fixture.clock.advance(by: MoveFixture.day)
            await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(requested) }
            try await support.enable(user, reason: try MoveFixture.reason())
        }
        #expect(try await fixture.owner() == fixture.source)
    }

    @Test("an unknown identity, one that the account has, and a missing account are refused")
    func unknown() async throws {
        let fixture = try await MoveFixture()
        let reason = try MoveFixture.reason()
        await #expect(throws: IdentityMoves.Refusal.notLinked) {
            try await fixture.moves.request(.google, "unknown", to: fixture.user, by: fixture.alice, reason: reason)
        }
        await #expect(throws: IdentityMoves.Refusal.sameAccount) { try await fixture.request(to: fixture.source) }
        await #expect(throws: AccountSupport.Refusal.notFound) {
            try await fixture.request(to: UserID(uuid: UUID()))
        }
    }

    @Test("a request for the same identity to another account replaces the earlier one")
    func replaced() async throws {
        let fixture = try await MoveFixture()
        let first = try await fixture.request()
        let third = try await fixture.service.signUp(.facebook, "third", device: 9).user.serviceUserID
        let second = try await fixture.request(to: third)
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete(first) }
        #expect(try await fixture.owner() == fixture.source)
        #expect(try await fixture.complete(second, to: third) == fixture.source)
        #expect(try await fixture.owner() == third)
    }

    @Test("tokens that the provider issued move along and are not revoked")
    func providerTokens() async throws {
        let fixture = try await MoveFixture()
        let tokens = fixture.service.components.providerTokens
        let link = try await fixture.service.linkID(
            .google, try await fixture.service.signIn(.google, MoveFixture.subject, device: 1).session)
        let token = ProviderTokens.OpenedToken(clientID: "photolala-dev", refreshToken: "canary-token")
        try await tokens.store(token, of: .google, link: link, user: fixture.source, at: fixture.clock.now)
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete(requested)
        #expect(try await tokens.all(of: fixture.source).isEmpty)
        let moved = try #require(try await tokens.all(of: fixture.user).first)
        #expect(try tokens.open(moved.value, fixture.user) == [token])
        let account = try #require(try await fixture.accounts.account(fixture.user)?.value)
        #expect(account.links.contains { $0.id == moved.value.link && $0.provider == .google })
    }

    @Test("tokens from before the provider ended the identity's sessions stay refused in the other account")
    func endedSessions() async throws {
        let fixture = try await MoveFixture()
        let found = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject))
        let requested = try await fixture.request()
        let ended = fixture.clock.now.addingTimeInterval(5)
        fixture.clock.advance(by: 5)
        _ = try await fixture.accounts.apply(
            ProviderEvent(.sessionsRevoked, subject: MoveFixture.subject, at: ended), of: found)
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete(requested)
        let moved = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject))
        #expect(moved.account.value.serviceUserID == fixture.user)
        #expect(moved.link.history?.sessionsEndedAt == ended)
    }
}
