import AccountMaintenance
import Accounts
import DevelopmentIdentityProvider
import Foundation
import IdentityProviders
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// An Apple team transfer of the app: every user's subject changes, and every user keeps the account.
@Suite struct TeamTransferTests {
    private struct Fixture {
        let service: TestService

        init() async throws { self.init(try await TestService.make()) }

        init(_ service: TestService) { self.service = service }

        func transfer(_ found: @escaping @Sendable (TeamTransferFinding) -> Void = { _ in }) throws -> TeamTransfer {
            let settings = service.apple.settings
            let now: @Sendable () -> Date = { [clock = service.clock] in clock.now }
            let tokens = try #require(
                OAuthTokenService(settings: settings, transport: service.network, now: now))
            let apple = AppleTeamTransfer(
                service: tokens, url: try #require(settings.userMigrationURL), clientID: "photolala-dev", now: now)
            return TeamTransfer(service.components.accounts, provider: .apple, service: apple, report: found)
        }

        /// Signs in a person whose subject changed with the transfer of the app.
        func signInMoved(_ subject: String, device: Int = 2, transferID: String? = nil) async throws -> SignedIn {
            let token = try service.apple.issueToken(
                DevelopmentTokenRequest(
                    subject: "moved-\(subject)", transferID: transferID ?? "transfer-\(subject)"))
            return try await service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: token.idToken, device: TestService.device(device)))
        }

        func links(_ session: Session) async throws -> [LinkedProvider] {
            try await service.services.account.linkedAccounts(try await service.caller(session)).linkedProviders
        }
    }

    @Test("a sign-in after the transfer keeps the account, and both ids open it until confirmation")
    func signInMoves() async throws {
        let fixture = try await Fixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let prepared = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(prepared.links == 1 && prepared.prepared == 1 && prepared.completed == 0)
        let moved = try await fixture.signInMoved("bob")
        #expect(moved.user.serviceUserID == bob.user.serviceUserID)
        #expect(try await fixture.service.owner(.apple, "bob") == bob.user.serviceUserID)
        #expect(try await fixture.links(moved.session).count == 2)
        let confirmed = try await fixture.transfer().run(.confirm)
        #expect(confirmed.settled == 1)
        #expect(try await fixture.service.owner(.apple, "bob") == nil)
        #expect(try await fixture.signInMoved("bob", device: 3).user.serviceUserID == bob.user.serviceUserID)
        let links = try await fixture.links(moved.session)
        #expect(links.count == 1 && links[0].isPrimary && links[0].state == .active)
        #expect(try await fixture.transfer().run(.count).settled == 1)
    }

    @Test("sessions survive the transfer and end when the new identity is unlinked, except the calling session")
    func sessions() async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob").session
        let tablet = try await service.signIn(.apple, "bob", device: 5).session
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await fixture.transfer().run(.complete)
        _ = try await fixture.transfer().run(.confirm)
        _ = try await service.caller(bob)
        let refreshed = try await service.services.sessions.refresh(RefreshRequest(refreshToken: tablet.refreshToken))
        _ = try await service.caller(refreshed.session)
        _ = try await service.link(.google, "bob", in: bob)
        try await service.unlink(.apple, in: bob)
        _ = try await service.caller(bob)
        await #expect(throws: ServiceError.sessionEnded) { _ = try await service.caller(refreshed.session) }
    }

    @Test("the complete command transfers users who do not sign in, and resumes where it stopped")
    func complete() async throws {
        let fixture = try await Fixture()
        for name in ["bob", "eve", "zoe"] { _ = try await fixture.service.signUp(.apple, name) }
        _ = try await fixture.service.signUp(.google, "gus")
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        let asked = fixture.service.network.requests.count
        #expect(try await fixture.transfer().run(.prepare(team: "NEWTEAM123")).prepared == 3)
        #expect(fixture.service.network.requests.count == asked)
        let eve = try await fixture.signInMoved("eve").user.serviceUserID
        let completed = try await fixture.transfer().run(.complete)
        #expect(completed.links == 3 && completed.completed == 3)
        #expect(try await fixture.transfer().run(.confirm).settled == 3)
        #expect(try await fixture.service.owner(.apple, "moved-eve") == eve)
        #expect(try await fixture.service.owner(.apple, "moved-zoe") != nil)
        #expect(try await fixture.service.owner(.apple, "zoe") == nil)
    }

    @Test("a subject with its own account is reported as taken, and no account is lost")
    func taken() async throws {
        let fixture = try await Fixture()
        let old = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        let new = try await fixture.service.signUp(.apple, "moved-bob").user.serviceUserID
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        let findings = Mutex<[TeamTransferFinding.Kind]>([])
        let completed = try await fixture.transfer { finding in
            findings.withLock { $0.append(finding.kind) }
        }.run(.complete)
        // Apple, as simulated here, also treats the second account's subject as an old one.
        #expect(findings.withLock { $0 } == [.subjectTaken] && completed.completed == 1)
        _ = try await fixture.transfer().run(.confirm)
        #expect(try await fixture.service.owner(.apple, "bob") == old)
        #expect(try await fixture.service.owner(.apple, "moved-moved-bob") == new)
    }

    @Test("a transfer id that is unprepared, of another provider or outdated opens no account")
    func unknown() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.service.signUp(.apple, "bob")
        await #expect { _ = try await fixture.signInMoved("bob") } throws: { $0.isNoAccountFound }
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        await #expect { _ = try await fixture.signInMoved("bob", transferID: "transfer-eve") } throws: {
            $0.isNoAccountFound
        }
        fixture.service.clock.advance(by: 90 * 86_400)
        await #expect { _ = try await fixture.signInMoved("bob") } throws: { $0.isNoAccountFound }
        #expect(try await fixture.service.owner(.apple, "moved-bob") == nil)
    }

    @Test("sign-up after the transfer reports the existing account, and no other account gets the identity")
    func otherCalls() async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob").user.serviceUserID
        let eve = try await service.signUp(.google, "eve", device: 2).session
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        let token = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        await #expect(throws: ServiceError.providerAlreadyLinked) {
            _ = try await service.services.linking.link(
                LinkRequest(provider: .apple, idToken: token), caller: try await service.caller(eve))
        }
        await #expect(throws: ServiceError.accountAlreadyExists) {
            _ = try await service.services.signUp.signUp(
                SignUpRequest(provider: .apple, idToken: token, device: TestService.device(3)))
        }
        #expect(try await service.owner(.apple, "moved-bob") == bob)
    }

    @Test("a sign-in that transfers an identity can stop at any request, and the next one resumes")
    func interrupted() async throws {
        for call in 0..<40 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let store = FaultyObjectStore(memory)
            let fixture = Fixture(try await TestService.make(store: store))
            let bob = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
            _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
            store.arm(call.isMultiple(of: 2) ? .stopBefore : .stopAfter, at: call / 2)
            _ = try? await fixture.signInMoved("bob")
            // The process is gone; another one continues.
            let next = Fixture(try await TestService.make(store: memory))
            #expect(try await next.signInMoved("bob").user.serviceUserID == bob, "\(call)")
            #expect(try await next.transfer().run(.confirm).settled == 1, "\(call)")
            #expect(try await next.service.owner(.apple, "moved-bob") == bob, "\(call)")
        }
    }

    @Test("while Apple is unavailable, the command stops with an error")
    func unavailable() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.service.signUp(.apple, "bob")
        fixture.service.network.fail(with: .notSent("down"))
        await #expect(throws: TeamTransferError.provider(.unavailable("notSent(\"down\")"))) {
            _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        }
        fixture.service.network.fail(with: nil)
        #expect(try await fixture.transfer().run(.prepare(team: "NEWTEAM123")).prepared == 1)
    }

    @Test(
        "unlinking either id ends both, and the transfer does not restore the identity", arguments: [0, 1])
    func unlinked(which: Int) async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await fixture.transfer().run(.complete)
        let apple = try await fixture.links(bob.session).filter { $0.provider == .apple }
        let caller = try await service.caller(bob.session)
        _ = try await service.services.linking.unlink(UnlinkRequest(linkID: apple[which].linkID), caller: caller)
        #expect(try await fixture.links(bob.session).map(\.provider) == [.google])
        for subject in ["bob", "moved-bob"] { #expect(try await service.owner(.apple, subject) == nil) }
        await #expect { _ = try await fixture.signInMoved("bob") } throws: { $0.isNoAccountFound }
        _ = try await fixture.transfer().run(.complete)
        #expect(try await service.owner(.apple, "moved-bob") == nil)
    }

    @Test("two ids of one person count as one sign-in method: the last provider cannot be unlinked")
    func lastProvider() async throws {
        let fixture = try await Fixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await fixture.transfer().run(.complete)
        await #expect(throws: ServiceError.lastProvider) { try await fixture.service.unlink(.apple, in: bob.session) }
    }

    @Test("a revocation ends both ids, and neither repeated commands nor an older token undo it")
    func withdrawn() async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await fixture.transfer().run(.complete)
        let stolen = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        service.clock.advance(by: 5)
        let event = DevelopmentEventRequest(type: "consent-revoked", subject: "moved-bob")
        try await service.services.providerEvents.handleEvents(Array(try service.apple.event(event)), from: .apple)
        service.clock.advance(by: 5)
        _ = try await fixture.transfer().run(.complete)
        let account = try #require(try await service.components.accounts.account(bob.user.serviceUserID)).value
        #expect(account.links.allSatisfy { $0.state == .revoked } && account.links.count == 2)
        await #expect(throws: ServiceError.sessionEnded) { _ = try await service.caller(bob.session) }
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: stolen, device: TestService.device(7)))
        }
        #expect(try await fixture.transfer().run(.confirm).settled == 1)
        #expect(try await fixture.signInMoved("bob", device: 8).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("a token issued before the revocation of the old id does not sign in through the new id")
    func outdated() async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        _ = try await service.signUp(.apple, "bob")
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        let stolen = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        service.clock.advance(by: 5)
        let event = DevelopmentEventRequest(type: "consent-revoked", subject: "bob")
        try await service.services.providerEvents.handleEvents(Array(try service.apple.event(event)), from: .apple)
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: stolen, device: TestService.device(7)))
        }
        service.clock.advance(by: 5)
        _ = try await fixture.signInMoved("bob")
    }

    @Test("preparing again corrects a wrong team, an app can be transferred twice, and sessions survive both")
    func again() async throws {
        let fixture = try await Fixture()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await fixture.transfer().run(.prepare(team: "WRONGTEAM1"))
        let asked = service.network.requests.count
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(service.network.requests.count > asked)
        for step in [TeamTransfer.Step.complete, .confirm, .prepare(team: "NEWTEAM456"), .complete, .confirm] {
            _ = try await fixture.transfer().run(step)
        }
        #expect(try await service.owner(.apple, "moved-moved-bob") == bob.user.serviceUserID)
        #expect(try await service.owner(.apple, "moved-bob") == nil)
        _ = try await service.caller(bob.session)
        #expect(try await fixture.links(bob.session).count == 1)
    }

    @Test("an account with the maximum number of identities is transferred too")
    func full() async throws {
        let fixture = try await Fixture()
        let bob = try await fixture.service.signUp(.apple, "bob").session
        for number in 1..<32 { _ = try await fixture.service.link(.google, "g-\(number)", in: bob) }
        _ = try await fixture.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(try await fixture.transfer().run(.complete).completed == 1)
    }
}
