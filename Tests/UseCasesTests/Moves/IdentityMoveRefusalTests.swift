import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Moves that the state of an account forbids, and what moves with the identity.
@Suite struct IdentityMoveRefusalTests {
    @Test("the only identity leaves its account only if the account's deletion is scheduled")
    func onlyIdentity() async throws {
        let fixture = try await MoveFixture(isOnly: true)
        await #expect(throws: IdentityMoves.Refusal.lastProvider) { try await fixture.request() }
        let support = fixture.service.services.operators.support
        _ = try await support.scheduleDeletion(of: fixture.source, reason: try MoveFixture.reason())
        try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete()
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.user)
        fixture.clock.advance(by: 30 * MoveFixture.day)
        for _ in 0..<12 {
            try await fixture.service.services.eventDelivery.deliverEvents()
            try await fixture.service.services.accountErasure.eraseDueAccounts()
            fixture.clock.advance(by: 3600)
        }
        #expect(try await fixture.accounts.account(fixture.source) == nil)
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.user)
    }

    @Test("an account without an identity, because its deletion was cancelled after the move, can get it back")
    func back() async throws {
        let fixture = try await MoveFixture(isOnly: true)
        let support = fixture.service.services.operators.support
        _ = try await support.scheduleDeletion(of: fixture.source, reason: try MoveFixture.reason())
        try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete()
        try await support.cancelDeletion(of: fixture.source, reason: try MoveFixture.reason())
        _ = try await fixture.moves.request(
            MoveFixture.identity, to: fixture.source, proof: nil, by: MoveFixture.first,
            reason: try MoveFixture.reason())
        fixture.clock.advance(by: MoveFixture.day)
        let left = try await fixture.moves.complete(
            to: fixture.source, by: MoveFixture.second, reason: try MoveFixture.reason())
        #expect(left == fixture.user)
        let account = try #require(try await fixture.accounts.account(fixture.source)?.value)
        #expect(account.links.map(\.id) == [account.primaryLinkID])
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
    }

    @Test("a disabled account neither gives nor gets an identity, and disabling stops a requested move")
    func disabled() async throws {
        let fixture = try await MoveFixture()
        let support = fixture.service.services.operators.support
        for user in [fixture.source, fixture.user] {
            try await support.disable(user, reason: try MoveFixture.reason())
            await #expect(throws: IdentityMoves.Refusal.accountClosed) { try await fixture.request() }
            try await support.enable(user, reason: try MoveFixture.reason())
            try await fixture.request()
            try await support.disable(user, reason: try MoveFixture.reason())
            fixture.clock.advance(by: MoveFixture.day)
            await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete() }
            try await support.enable(user, reason: try MoveFixture.reason())
            fixture.clock.advance(by: 8 * MoveFixture.day)
        }
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
    }

    @Test("an unknown identity, one that the account has, and a missing account are refused")
    func unknown() async throws {
        let fixture = try await MoveFixture()
        let reason = try MoveFixture.reason()
        func request(_ subject: String, to user: UserID) async throws {
            _ = try await fixture.moves.request(
                .subject(.google, subject), to: user, proof: nil, by: MoveFixture.first, reason: reason)
        }
        await #expect(throws: IdentityMoves.Refusal.notLinked) { try await request("unknown", to: fixture.user) }
        await #expect(throws: IdentityMoves.Refusal.sameAccount) {
            try await request(MoveFixture.subject, to: fixture.source)
        }
        await #expect(throws: AccountSupport.Refusal.notFound) {
            try await request(MoveFixture.subject, to: UserID(uuid: UUID()))
        }
    }

    @Test("a request for the same identity to another account replaces the earlier one")
    func replaced() async throws {
        let fixture = try await MoveFixture()
        try await fixture.request()
        let third = try await fixture.service.signUp(.facebook, "third", device: 9).user.serviceUserID
        _ = try await fixture.moves.request(
            MoveFixture.identity, to: third, proof: nil, by: MoveFixture.first, reason: try MoveFixture.reason())
        fixture.clock.advance(by: MoveFixture.day)
        await #expect(throws: IdentityMoves.Refusal.notRequested) { try await fixture.complete() }
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == fixture.source)
        let left = try await fixture.moves.complete(
            to: third, by: MoveFixture.second, reason: try MoveFixture.reason())
        #expect(left == fixture.source)
        #expect(try await fixture.service.owner(.google, MoveFixture.subject) == third)
    }

    @Test("tokens that the provider issued move along and are not revoked")
    func providerTokens() async throws {
        let fixture = try await MoveFixture()
        let tokens = fixture.service.components.providerTokens
        let link = try await fixture.service.linkID(
            .google, try await fixture.service.signIn(.google, MoveFixture.subject, device: 1).session)
        let token = ProviderTokens.OpenedToken(clientID: "photolala-dev", refreshToken: "canary-token")
        try await tokens.store(token, of: .google, link: link, user: fixture.source, at: fixture.clock.now)
        try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete()
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
        try await fixture.request()
        let ended = fixture.clock.now.addingTimeInterval(5)
        fixture.clock.advance(by: 5)
        _ = try await fixture.accounts.apply(
            ProviderEvent(.sessionsRevoked, subject: MoveFixture.subject, at: ended), of: found)
        fixture.clock.advance(by: MoveFixture.day)
        try await fixture.complete()
        let moved = try #require(try await fixture.accounts.lookUp(.google, MoveFixture.subject))
        #expect(moved.account.value.serviceUserID == fixture.user)
        #expect(moved.link.history?.sessionsEndedAt == ended)
    }
}
