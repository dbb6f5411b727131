import Accounts
import DevelopmentIdentityProvider
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What happens to a link after its provider no longer vouches for it.
@Suite struct ConsentTests {
    /// Bob with Apple on two devices and Google on a third; Apple provided a refresh token.
    private struct Fixture {
        let service: TestService
        let phone: SignedIn
        let laptop: SignedIn
        let tablet: SignedIn
        var user: UserID { phone.user.serviceUserID }

        init() async throws {
            service = try await TestService.make()
            let proof = try service.apple.issueToken(DevelopmentTokenRequest(subject: "bob"))
            phone = try await service.services.signUp.signUp(
                SignUpRequest(
                    provider: .apple, idToken: proof.idToken, authorizationCode: proof.authorizationCode,
                    device: TestService.device(1)
                )
            )
            service.clock.advance(by: 60)
            try await service.services.providerCalls.makeProviderCalls()
            laptop = try await service.signIn(.apple, "bob", device: 2)
            _ = try await service.link(.google, "g", in: phone.session)
            tablet = try await service.signIn(.google, "g", device: 3)
            service.clock.advance(by: 60)
        }

        func isSessionValid(_ session: Session) async -> Bool {
            (try? await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))) != nil
        }

        func handleEvent(_ type: String, from provider: ProviderName = .apple, of subject: String = "bob") async throws
        {
            let issuer = provider == .apple ? service.apple : service.google
            let body = try issuer.event(DevelopmentEventRequest(type: type, subject: subject))
            try await service.services.providerEvents.handleEvents(Array(body), from: provider)
        }

        func link(_ provider: ProviderName) async throws -> AccountLink {
            let account = try #require(try await service.components.accounts.account(user)).value
            return try #require(account.links.first { $0.provider == provider })
        }

        func auditEvents() async throws -> [AuditAction] {
            try await service.auditEvents(of: user).filter {
                $0.rawValue.hasPrefix("provider.re") || $0.rawValue.hasPrefix("provider.s")
            }
        }

        var appleTokens: Int {
            get async throws { try await service.components.providerTokens.all(of: user).count }
        }
    }

    @Test("consent found withdrawn by the daily check ends only Apple's sessions")
    func dailyCheck() async throws {
        let world = try await Fixture()
        let token = try #require(
            try await world.service.components.providerTokens.all(of: world.user).first
                .flatMap { try world.service.components.providerTokens.open($0.value, world.user).first })
        let before = world.service.network.requests.count
        try await world.service.services.consentCheck.checkConsent()
        #expect(world.service.network.requests.count == before, "asked twice in a day")
        world.service.clock.advance(by: 90_000)
        try await world.service.services.consentCheck.checkConsent()
        #expect(world.service.network.requests.count == before + 1)
        #expect(try await world.link(.apple).state == .active)
        try await world.service.providers.tokenServices[.apple]?.revoke(token.refreshToken, of: token.clientID)
        world.service.clock.advance(by: 90_000)
        try await world.service.services.consentCheck.checkConsent()
        #expect(try await world.link(.apple).state == .revoked)
        #expect(await !world.isSessionValid(world.phone.session))
        #expect(await !world.isSessionValid(world.laptop.session))
        #expect(await world.isSessionValid(world.tablet.session))
        #expect(try await world.appleTokens == 0)
    }

    @Test("tokens that cannot be decrypted because their key is missing are retained")
    func keyIsGone() async throws {
        let world = try await Fixture()
        let link = try await world.link(.apple)
        let key = ObjectKey(known: StorageLayout.providerTokens(world.user, link.id))
        let text = String(buffer: try #require(try await world.service.store.get(key)).bytes)
        let sealed = ByteBuffer(string: text.replacing("\"sealed\":\"test.", with: "\"sealed\":\"gone."))
        #expect(sealed != ByteBuffer(string: text))
        _ = try await world.service.store.put(key, sealed, if: .always)
        world.service.clock.advance(by: 90_000)
        try await world.service.services.consentCheck.checkConsent()
        #expect(try await world.link(.apple).state == .active)
        #expect(try await world.service.store.get(key)?.bytes == sealed)
        // Unlinking does not remove them either.
        let tablet = try await world.service.signIn(.google, "g", device: 3)
        try await world.service.unlink(.apple, in: tablet.session)
        world.service.clock.advance(by: 90_000)
        try await world.service.services.providerCalls.makeProviderCalls()
        try await world.service.services.consentCheck.checkConsent()
        #expect(try await world.service.store.get(key)?.bytes == sealed)
    }

    @Test("a provider that is unavailable or rejects the client credentials ends no session")
    func checkFails() async throws {
        let world = try await Fixture()
        world.service.clock.advance(by: 90_000)
        world.service.network.fail(with: .connectionLost("down"))
        try await world.service.services.consentCheck.checkConsent()
        world.service.network.fail(with: nil)
        #expect(try await world.link(.apple).state == .active)
        #expect(await world.isSessionValid(world.phone.session))
        #expect(try await world.appleTokens == 1)
    }

    @Test(
        "revoked consent revokes the link and its sessions; a new ID token restores only the link"
    )
    func consentRevoked() async throws {
        let world = try await Fixture()
        try await world.handleEvent("consent-revoked")
        try await world.handleEvent("consent-revoked")
        #expect(try await world.link(.apple).state == .revoked)
        #expect(await !world.isSessionValid(world.phone.session))
        #expect(await world.isSessionValid(world.tablet.session))
        #expect(try await world.appleTokens == 0)
        #expect(try await world.auditEvents() == [.providerRevoked])
        world.service.clock.advance(by: 5)
        let again = try await world.service.signIn(.apple, "bob", device: 1)
        #expect(again.user.serviceUserID == world.user)
        #expect(await world.isSessionValid(again.session))
        #expect(await !world.isSessionValid(world.laptop.session), "a session came back with its link")
        #expect(try await world.auditEvents() == [.providerRevoked, .providerReactivated])
    }

    @Test(
        "a token issued before a provider's revocation does not undo it, as it may be stolen",
        arguments: [
            (ProviderName.apple, "consent-revoked"), (.google, "account-disabled"), (.google, "sessions-revoked"),
        ])
    func outdatedProof(provider: ProviderName, event: String) async throws {
        let world = try await Fixture()
        let subject = provider == .apple ? "bob" : "g"
        let stolen = try world.service.token(provider, subject)
        world.service.clock.advance(by: 5)
        try await world.handleEvent(event, from: provider, of: subject)
        world.service.clock.advance(by: 5)
        func signIn(_ token: String) async throws -> SignedIn {
            try await world.service.services.signIn.signIn(
                SignInRequest(provider: provider, idToken: token, device: TestService.device(9)))
        }
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) { _ = try await signIn(stolen) }
        let fresh = try await signIn(try world.service.token(provider, subject))
        #expect(fresh.user.serviceUserID == world.user)
    }

    @Test("a token issued between an event and its arrival is rejected, as the sessions ended on arrival")
    func proofBeforeLateEvent() async throws {
        let world = try await Fixture()
        let body = Array(
            try world.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        world.service.clock.advance(by: 5)
        let between = try world.service.token(.apple, "bob")
        world.service.clock.advance(by: 5)
        try await world.service.services.providerEvents.handleEvents(body, from: .apple)
        let history = try #require(try await world.link(.apple).history)
        #expect(try #require(history.revocation).at < #require(history.sessionsEndedAt))
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await world.service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: between, device: TestService.device(9)))
        }
        #expect(try await world.link(.apple).state == .revoked)
    }

    @Test("a token issued before the time of an event is rejected, even if the provider's clock is ahead")
    func proofBeforeEventAhead() async throws {
        let world = try await Fixture()
        let event = ProviderEvent(.consentRevoked, subject: "bob", at: world.service.clock.now.addingTimeInterval(30))
        try await world.service.services.providerEvents.apply(event, of: .apple)
        let history = try #require(try await world.link(.apple).history)
        #expect(try #require(history.revocation).at > #require(history.sessionsEndedAt))
        world.service.clock.advance(by: 10)
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await world.service.signIn(.apple, "bob", device: 9)
        }
        world.service.clock.advance(by: 20)
        #expect(try await world.service.owner(.apple, "bob") == world.user)
    }

    @Test(
        "an event replayed within the second of a new sign-in leaves the new session active",
        arguments: [
            (ProviderName.apple, "consent-revoked"), (.apple, "account-delete"), (.google, "sessions-revoked"),
            (.google, "tokens-revoked"), (.google, "account-disabled"),
        ])
    func replayWithinTheSecond(provider: ProviderName, event: String) async throws {
        let world = try await Fixture()
        let (subject, issuer) = provider == .apple ? ("bob", world.service.apple) : ("g", world.service.google)
        let body = Array(try issuer.event(DevelopmentEventRequest(type: event, subject: subject)))
        try await world.service.services.providerEvents.handleEvents(body, from: provider)
        world.service.clock.advance(by: 0.4)
        let again = try await world.service.signIn(provider, subject, device: 9)
        world.service.clock.advance(by: 0.4)
        try await world.service.services.providerEvents.handleEvents(body, from: provider)
        #expect(try await world.link(provider).state == .active)
        #expect(await world.isSessionValid(again.session))
    }

    @Test("an event older than the last authentication changes nothing, however late it arrives")
    func lateDuplicate() async throws {
        let world = try await Fixture()
        let body = Array(
            try world.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        try await world.service.services.providerEvents.handleEvents(body, from: .apple)
        world.service.clock.advance(by: 5)
        let again = try await world.service.signIn(.apple, "bob", device: 1)
        try await world.service.services.providerEvents.handleEvents(body, from: .apple)
        #expect(try await world.link(.apple).state == .active)
        #expect(await world.isSessionValid(again.session))
    }

    @Test(
        "both event names for a deleted Apple Account record one deletion request",
        arguments: ["account-delete", "account-deleted"])
    func deleted(type: String) async throws {
        let world = try await Fixture()
        try await world.handleEvent(type)
        try await world.handleEvent(type)
        let account = try #require(try await world.service.components.accounts.account(world.user)).value
        #expect(account.deletionRequest?.provider == .apple)
        #expect(account.state == .active, "the event deletes nothing")
        #expect(try await world.link(.apple).state == .revoked)
        #expect(try await world.service.auditEvents(of: world.user).count { $0 == .deletionRequested } == 1)
    }

    @Test("a revoked identity stays bound: sign-up with it fails, and it does not count as a sign-in method")
    func claimStays() async throws {
        let world = try await Fixture()
        try await world.handleEvent("consent-revoked")
        await #expect(throws: ServiceError.accountAlreadyExists) {
            try await world.service.signUp(.apple, "bob", device: 9)
        }
        // The sign-up carried a valid token, so it may rightly have restored the link.
        try await world.handleEvent("tokens-revoked", from: .google, of: "g")
        #expect(try await world.link(.google).state == .revoked)
    }

    @Test("the latest state of relay mail forwarding is stored")
    func forwarding() async throws {
        let world = try await Fixture()
        let early = Array(
            try world.service.apple.event(DevelopmentEventRequest(type: "email-enabled", subject: "bob")))
        world.service.clock.advance(by: 1)
        try await world.handleEvent("email-disabled")
        try await world.service.services.providerEvents.handleEvents(early, from: .apple)
        #expect(try await world.link(.apple).history?.mailForwarding?.isOn == false)
        #expect(await world.isSessionValid(world.phone.session))
    }

    @Test(
        "Google's events end sessions, disable and re-enable",
        arguments: [
            "sessions-revoked", "account-credential-change-required", "tokens-revoked", "account-disabled",
            "account-purged",
        ])
    func google(type: String) async throws {
        let world = try await Fixture()
        try await world.handleEvent(type, from: .google, of: "g")
        #expect(await !world.isSessionValid(world.tablet.session))
        #expect(await world.isSessionValid(world.phone.session))
        let keeps = type == "sessions-revoked" || type == "account-credential-change-required"
        #expect(try await world.link(.google).state == (keeps ? .active : .revoked))
        world.service.clock.advance(by: 5)
        let body = Array(
            try world.service.google.event(DevelopmentEventRequest(type: "account-enabled", subject: "g")))
        try await world.service.services.providerEvents.handleEvents(body, from: .google)
        #expect(try await world.link(.google).state == (keeps || type == "account-disabled" ? .active : .revoked))
        #expect(await !world.isSessionValid(world.tablet.session), "a session came back with its link")
        let again = try await world.service.signIn(.google, "g", device: 3)
        #expect(await world.isSessionValid(again.session))
        // An event about a state that has already ended.
        let account = try #require(try await world.service.components.accounts.account(world.user)).value
        #expect(account.deletionRequest == nil)
    }

    @Test("an event about an unknown identity or of an unknown type is accepted and changes nothing")
    func unknown() async throws {
        let world = try await Fixture()
        let before = try await world.service.components.accounts.account(world.user)?.value
        try await world.handleEvent("consent-revoked", of: "unknown")
        try await world.handleEvent("something-new")
        try await world.handleEvent("verification", from: .google, of: "g")
        #expect(try await world.service.components.accounts.account(world.user)?.value == before)
    }

    @Test("an event signed by another provider, or an ID token in place of an event, is rejected")
    func forged() async throws {
        let world = try await Fixture()
        let googles = try world.service.google.event(
            DevelopmentEventRequest(type: "sessions-revoked", subject: "bob"))
        let others = try world.service.apple.event(
            DevelopmentEventRequest(type: "consent-revoked", subject: "bob", audience: "another-app"))
        let token = try world.service.token(.apple, "bob")
        var changed = try world.service.apple.event(
            DevelopmentEventRequest(type: "consent-revoked", subject: "eve"))
        changed[changed.count - 4] ^= 1
        for body in [
            Array(googles), Array(#"{"payload":"\#(String(decoding: googles, as: UTF8.self))"}"#.utf8), Array(others),
            Array(#"{"payload":"\#(token)"}"#.utf8), Array(changed), Array("{}".utf8), [],
        ] {
            let error = await ServiceError.caught {
                try await world.service.services.providerEvents.handleEvents(body, from: .apple)
            }
            guard case .invalidEvent? = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
        #expect(try await world.link(.apple).state == .active)
        // An event is not an ID token either.
        let payload = try JSONDecoder().decode(
            [String: String].self,
            from: try world.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("events"))) {
            try await world.service.services.signIn.signIn(
                SignInRequest(
                    provider: .apple, idToken: payload["payload"] ?? "", device: TestService.device(4)
                )
            )
        }
    }
}
