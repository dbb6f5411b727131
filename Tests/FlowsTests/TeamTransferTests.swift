import Accounts
import Flows
import Foundation
import IdentityProviders
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// An app that moves to another developer team of Apple's: everybody's subject changes, and everybody keeps the account.
@Suite struct TeamTransferTests {
    private struct World {
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
            return TeamTransfer(service.services.accounts, provider: .apple, service: apple, report: found)
        }

        /// A sign-in of somebody whom Apple names otherwise since the app moved.
        func signInMoved(_ subject: String, device: Int = 2, transferID: String? = nil) async throws -> SignedIn {
            let token = try service.apple.issueToken(
                DevelopmentTokenRequest(
                    subject: "moved-\(subject)", transferID: transferID ?? "transfer-\(subject)"))
            return try await service.services.signIn(
                SignInRequest(provider: .apple, idToken: token.idToken, device: TestService.device(device)))
        }

        func links(_ session: Session) async throws -> [LinkedProvider] {
            try await service.services.linkedAccounts(try await service.caller(session)).linkedProviders
        }
    }

    @Test("Whoever signs in after the move keeps the account, and both ids open it until that is confirmed")
    func signInMoves() async throws {
        let world = try await World()
        let bob = try await world.service.signUp(.apple, "bob")
        let prepared = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(prepared.links == 1 && prepared.prepared == 1 && prepared.completed == 0)
        let moved = try await world.signInMoved("bob")
        #expect(moved.user.serviceUserID == bob.user.serviceUserID)
        #expect(try await world.service.owner(.apple, "bob") == bob.user.serviceUserID)
        #expect(try await world.links(moved.session).count == 2)
        let confirmed = try await world.transfer().run(.confirm)
        #expect(confirmed.settled == 1)
        #expect(try await world.service.owner(.apple, "bob") == nil)
        #expect(try await world.signInMoved("bob", device: 3).user.serviceUserID == bob.user.serviceUserID)
        let links = try await world.links(moved.session)
        #expect(links.count == 1 && links[0].isPrimary && links[0].state == .active)
        #expect(try await world.transfer().run(.look).settled == 1)
    }

    @Test("Sessions go on through the move, end with the new identity, and not for the one that asks")
    func sessions() async throws {
        let world = try await World()
        let service = world.service
        let bob = try await service.signUp(.apple, "bob").session
        let tablet = try await service.signIn(.apple, "bob", device: 5).session
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await world.transfer().run(.complete)
        _ = try await world.transfer().run(.confirm)
        _ = try await service.caller(bob)
        let refreshed = try await service.services.refresh(RefreshRequest(refreshToken: tablet.refreshToken))
        _ = try await service.caller(refreshed.session)
        _ = try await service.link(.google, "bob", in: bob)
        try await service.unlink(.apple, in: bob)
        _ = try await service.caller(bob)
        await #expect(throws: FlowError.sessionEnded) { _ = try await service.caller(refreshed.session) }
    }

    @Test("Those who do not sign in are taken along by the command, which goes on where it was")
    func complete() async throws {
        let world = try await World()
        for name in ["bob", "eve", "zoe"] { _ = try await world.service.signUp(.apple, name) }
        _ = try await world.service.signUp(.google, "gus")
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        let asked = world.service.network.requests.count
        #expect(try await world.transfer().run(.prepare(team: "NEWTEAM123")).prepared == 3)
        #expect(world.service.network.requests.count == asked)
        let eve = try await world.signInMoved("eve").user.serviceUserID
        let completed = try await world.transfer().run(.complete)
        #expect(completed.links == 3 && completed.completed == 3)
        #expect(try await world.transfer().run(.confirm).settled == 3)
        #expect(try await world.service.owner(.apple, "moved-eve") == eve)
        #expect(try await world.service.owner(.apple, "moved-zoe") != nil)
        #expect(try await world.service.owner(.apple, "zoe") == nil)
    }

    @Test("Who has made an account of their own meanwhile is told of, and nobody loses anything")
    func taken() async throws {
        let world = try await World()
        let old = try await world.service.signUp(.apple, "bob").user.serviceUserID
        let new = try await world.service.signUp(.apple, "moved-bob").user.serviceUserID
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        let findings = Mutex<[TeamTransferFinding.Kind]>([])
        let completed = try await world.transfer { finding in
            findings.withLock { $0.append(finding.kind) }
        }.run(.complete)
        // The second account's own subject is, to Apple here, an old one too.
        #expect(findings.withLock { $0 } == [.subjectTaken] && completed.completed == 1)
        _ = try await world.transfer().run(.confirm)
        #expect(try await world.service.owner(.apple, "bob") == old)
        #expect(try await world.service.owner(.apple, "moved-moved-bob") == new)
    }

    @Test("An id of a transfer that nobody prepared, of another provider, or that is too old opens nothing")
    func unknown() async throws {
        let world = try await World()
        _ = try await world.service.signUp(.apple, "bob")
        await #expect(throws: FlowError.self) { _ = try await world.signInMoved("bob") }
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        await #expect(throws: FlowError.self) { _ = try await world.signInMoved("bob", transferID: "transfer-eve") }
        world.service.clock.advance(by: 90 * 86_400)
        await #expect(throws: FlowError.self) { _ = try await world.signInMoved("bob") }
        #expect(try await world.service.owner(.apple, "moved-bob") == nil)
    }

    @Test("A sign-up after the move is told that there is an account, and nobody else's account takes the identity")
    func otherCalls() async throws {
        let world = try await World()
        let service = world.service
        let bob = try await service.signUp(.apple, "bob").user.serviceUserID
        let eve = try await service.signUp(.google, "eve", device: 2).session
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        let token = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        await #expect(throws: FlowError.providerAlreadyLinked) {
            _ = try await service.services.link(
                LinkRequest(provider: .apple, idToken: token), caller: try await service.caller(eve))
        }
        await #expect(throws: FlowError.accountAlreadyExists) {
            _ = try await service.services.signUp(
                SignUpRequest(provider: .apple, idToken: token, device: TestService.device(3)))
        }
        #expect(try await service.owner(.apple, "moved-bob") == bob)
    }

    @Test("A sign-in that moves an identity may stop before and after every request, and the next one goes on")
    func interrupted() async throws {
        for call in 0..<40 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let store = FaultyObjectStore(memory)
            let world = World(try await TestService.make(store: store))
            let bob = try await world.service.signUp(.apple, "bob").user.serviceUserID
            _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
            store.arm(call.isMultiple(of: 2) ? .stopBefore : .stopAfter, at: call / 2)
            _ = try? await world.signInMoved("bob")
            // The process is gone; another one goes on.
            let next = World(try await TestService.make(store: memory))
            #expect(try await next.signInMoved("bob").user.serviceUserID == bob, "\(call)")
            #expect(try await next.transfer().run(.confirm).settled == 1, "\(call)")
            #expect(try await next.service.owner(.apple, "moved-bob") == bob, "\(call)")
        }
    }

    @Test("While Apple cannot be asked the command stops and says so")
    func unavailable() async throws {
        let world = try await World()
        _ = try await world.service.signUp(.apple, "bob")
        world.service.network.fail(with: .notSent("down"))
        await #expect(throws: TeamTransferError.self) {
            _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        }
        world.service.network.fail(with: nil)
        #expect(try await world.transfer().run(.prepare(team: "NEWTEAM123")).prepared == 1)
    }

    @Test(
        "Unlinking either of the two ends both, and the identity does not come back by the transfer", arguments: [0, 1])
    func unlinked(which: Int) async throws {
        let world = try await World()
        let service = world.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await world.transfer().run(.complete)
        let apple = try await world.links(bob.session).filter { $0.provider == .apple }
        let caller = try await service.caller(bob.session)
        _ = try await service.services.unlink(UnlinkRequest(linkID: apple[which].linkID), caller: caller)
        #expect(try await world.links(bob.session).map(\.provider) == [.google])
        for subject in ["bob", "moved-bob"] { #expect(try await service.owner(.apple, subject) == nil) }
        await #expect(throws: FlowError.self) { _ = try await world.signInMoved("bob") }
        _ = try await world.transfer().run(.complete)
        #expect(try await service.owner(.apple, "moved-bob") == nil)
    }

    @Test("Two ids of one person are one way in: the last provider stays")
    func lastProvider() async throws {
        let world = try await World()
        let bob = try await world.service.signUp(.apple, "bob")
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await world.transfer().run(.complete)
        await #expect(throws: FlowError.lastProvider) { try await world.service.unlink(.apple, in: bob.session) }
    }

    @Test("A withdrawal ends both ids, no repetition of the command undoes it, and an older token neither")
    func withdrawn() async throws {
        let world = try await World()
        let service = world.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        _ = try await world.transfer().run(.complete)
        let stolen = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        service.clock.advance(by: 5)
        let event = DevelopmentEventRequest(type: "consent-revoked", subject: "moved-bob")
        try await service.services.hear(Array(try service.apple.event(event)), from: .apple)
        service.clock.advance(by: 5)
        _ = try await world.transfer().run(.complete)
        let account = try #require(try await service.services.accounts.account(bob.user.serviceUserID)).value
        #expect(account.links.allSatisfy { $0.state == .revoked } && account.links.count == 2)
        await #expect(throws: FlowError.sessionEnded) { _ = try await service.caller(bob.session) }
        await #expect(throws: FlowError.invalidToken(.notCurrent)) {
            _ = try await service.services.signIn(
                SignInRequest(provider: .apple, idToken: stolen, device: TestService.device(7)))
        }
        #expect(try await world.transfer().run(.confirm).settled == 1)
        #expect(try await world.signInMoved("bob", device: 8).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("A token from before a withdrawal of the old id does not come in by the new one")
    func outdated() async throws {
        let world = try await World()
        let service = world.service
        _ = try await service.signUp(.apple, "bob")
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        let stolen = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: "moved-bob", transferID: "transfer-bob")
        ).idToken
        service.clock.advance(by: 5)
        let event = DevelopmentEventRequest(type: "consent-revoked", subject: "bob")
        try await service.services.hear(Array(try service.apple.event(event)), from: .apple)
        await #expect(throws: FlowError.invalidToken(.notCurrent)) {
            _ = try await service.services.signIn(
                SignInRequest(provider: .apple, idToken: stolen, device: TestService.device(7)))
        }
        service.clock.advance(by: 5)
        _ = try await world.signInMoved("bob")
    }

    @Test("A wrong team is put right by preparing again, and an app may move twice; sessions go on through both")
    func again() async throws {
        let world = try await World()
        let service = world.service
        let bob = try await service.signUp(.apple, "bob")
        _ = try await world.transfer().run(.prepare(team: "WRONGTEAM1"))
        let asked = service.network.requests.count
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(service.network.requests.count > asked)
        for step in [TeamTransfer.Step.complete, .confirm, .prepare(team: "NEWTEAM456"), .complete, .confirm] {
            _ = try await world.transfer().run(step)
        }
        #expect(try await service.owner(.apple, "moved-moved-bob") == bob.user.serviceUserID)
        #expect(try await service.owner(.apple, "moved-bob") == nil)
        _ = try await service.caller(bob.session)
        #expect(try await world.links(bob.session).count == 1)
    }

    @Test("An account with as many identities as one can have goes along too")
    func full() async throws {
        let world = try await World()
        let bob = try await world.service.signUp(.apple, "bob").session
        for number in 1..<32 { _ = try await world.service.link(.google, "g-\(number)", in: bob) }
        _ = try await world.transfer().run(.prepare(team: "NEWTEAM123"))
        #expect(try await world.transfer().run(.complete).completed == 1)
    }
}
