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
        let fixture = try await Fixture()
        let token = try #require(
            try await fixture.service.components.providerTokens.all(of: fixture.user).first
                .flatMap { try fixture.service.components.providerTokens.open($0.value, fixture.user).first })
        let before = fixture.service.network.requests.count
        try await fixture.service.services.consentCheck.checkConsent()
        #expect(fixture.service.network.requests.count == before, "asked twice in a day")
        fixture.service.clock.advance(by: 90_000)
        try await fixture.service.services.consentCheck.checkConsent()
        #expect(fixture.service.network.requests.count == before + 1)
        #expect(try await fixture.link(.apple).state == .active)
        try await fixture.service.providers.tokenServices[.apple]?.revoke(token.refreshToken, of: token.clientID)
        fixture.service.clock.advance(by: 90_000)
        try await fixture.service.services.consentCheck.checkConsent()
        #expect(try await fixture.link(.apple).state == .revoked)
        #expect(await !fixture.isSessionValid(fixture.phone.session))
        #expect(await !fixture.isSessionValid(fixture.laptop.session))
        #expect(await fixture.isSessionValid(fixture.tablet.session))
        #expect(try await fixture.appleTokens == 0)
    }

    @Test("tokens that cannot be decrypted because their key is missing are retained")
    func keyIsGone() async throws {
        let fixture = try await Fixture()
        let link = try await fixture.link(.apple)
        let key = ObjectKey(known: StorageLayout.providerTokens(fixture.user, link.id))
        let text = String(buffer: try #require(try await fixture.service.store.get(key)).bytes)
        let sealed = ByteBuffer(string: text.replacing("\"sealed\":\"test.", with: "\"sealed\":\"gone."))
        #expect(sealed != ByteBuffer(string: text))
        _ = try await fixture.service.store.put(key, sealed, if: .always)
        fixture.service.clock.advance(by: 90_000)
        try await fixture.service.services.consentCheck.checkConsent()
        #expect(try await fixture.link(.apple).state == .active)
        #expect(try await fixture.service.store.get(key)?.bytes == sealed)
        // Unlinking does not remove them either.
        let tablet = try await fixture.service.signIn(.google, "g", device: 3)
        try await fixture.service.unlink(.apple, in: tablet.session)
        fixture.service.clock.advance(by: 90_000)
        try await fixture.service.services.providerCalls.makeProviderCalls()
        try await fixture.service.services.consentCheck.checkConsent()
        #expect(try await fixture.service.store.get(key)?.bytes == sealed)
    }

    @Test("a provider that is unavailable or rejects the client credentials ends no session")
    func checkFails() async throws {
        let fixture = try await Fixture()
        fixture.service.clock.advance(by: 90_000)
        fixture.service.network.fail(with: .connectionLost("down"))
        try await fixture.service.services.consentCheck.checkConsent()
        fixture.service.network.fail(with: nil)
        #expect(try await fixture.link(.apple).state == .active)
        #expect(await fixture.isSessionValid(fixture.phone.session))
        #expect(try await fixture.appleTokens == 1)
    }

    @Test(
        "revoked consent revokes the link and its sessions; a new ID token restores only the link"
    )
    func consentRevoked() async throws {
        let fixture = try await Fixture()
        try await fixture.handleEvent("consent-revoked")
        try await fixture.handleEvent("consent-revoked")
        #expect(try await fixture.link(.apple).state == .revoked)
        #expect(await !fixture.isSessionValid(fixture.phone.session))
        #expect(await fixture.isSessionValid(fixture.tablet.session))
        #expect(try await fixture.appleTokens == 0)
        #expect(try await fixture.auditEvents() == [.providerRevoked])
        fixture.service.clock.advance(by: 5)
        let again = try await fixture.service.signIn(.apple, "bob", device: 1)
        #expect(again.user.serviceUserID == fixture.user)
        #expect(await fixture.isSessionValid(again.session))
        #expect(await !fixture.isSessionValid(fixture.laptop.session), "a session came back with its link")
        #expect(try await fixture.auditEvents() == [.providerRevoked, .providerReactivated])
    }

    @Test(
        "a token issued before a provider's revocation does not undo it, as it may be stolen",
        arguments: [
            (ProviderName.apple, "consent-revoked"), (.google, "account-disabled"), (.google, "sessions-revoked"),
        ])
    func outdatedProof(provider: ProviderName, event: String) async throws {
        let fixture = try await Fixture()
        let subject = provider == .apple ? "bob" : "g"
        let stolen = try fixture.service.token(provider, subject)
        fixture.service.clock.advance(by: 5)
        try await fixture.handleEvent(event, from: provider, of: subject)
        fixture.service.clock.advance(by: 5)
        func signIn(_ token: String) async throws -> SignedIn {
            try await fixture.service.services.signIn.signIn(
                SignInRequest(provider: provider, idToken: token, device: TestService.device(9)))
        }
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) { _ = try await signIn(stolen) }
        let fresh = try await signIn(try fixture.service.token(provider, subject))
        #expect(fresh.user.serviceUserID == fixture.user)
    }

    @Test("a token issued between an event and its arrival is rejected, as the sessions ended on arrival")
    func proofBeforeLateEvent() async throws {
        let fixture = try await Fixture()
        let body = Array(
            try fixture.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        fixture.service.clock.advance(by: 5)
        let between = try fixture.service.token(.apple, "bob")
        fixture.service.clock.advance(by: 5)
        try await fixture.service.services.providerEvents.handleEvents(body, from: .apple)
        let history = try #require(try await fixture.link(.apple).history)
        #expect(try #require(history.revocation).at < #require(history.sessionsEndedAt))
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await fixture.service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: between, device: TestService.device(9)))
        }
        #expect(try await fixture.link(.apple).state == .revoked)
    }

    @Test("a token issued before the time of an event is rejected, even if the provider's clock is ahead")
    func proofBeforeEventAhead() async throws {
        let fixture = try await Fixture()
        let event = ProviderEvent(.consentRevoked, subject: "bob", at: fixture.service.clock.now.addingTimeInterval(30))
        try await fixture.service.services.providerEvents.apply(event, of: .apple)
        let history = try #require(try await fixture.link(.apple).history)
        #expect(try #require(history.revocation).at > #require(history.sessionsEndedAt))
        fixture.service.clock.advance(by: 10)
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            _ = try await fixture.service.signIn(.apple, "bob", device: 9)
        }
        fixture.service.clock.advance(by: 20)
        #expect(try await fixture.service.owner(.apple, "bob") == fixture.user)
    }

    @Test(
        "an event replayed within the second of a new sign-in leaves the new session active",
        arguments: [
            (ProviderName.apple, "consent-revoked"), (.apple, "account-delete"), (.google, "sessions-revoked"),
            (.google, "tokens-revoked"), (.google, "account-disabled"),
        ])
    func replayWithinTheSecond(provider: ProviderName, event: String) async throws {
        let fixture = try await Fixture()
        let (subject, issuer) = provider == .apple ? ("bob", fixture.service.apple) : ("g", fixture.service.google)
        let body = Array(try issuer.event(DevelopmentEventRequest(type: event, subject: subject)))
        try await fixture.service.services.providerEvents.handleEvents(body, from: provider)
        fixture.service.clock.advance(by: 0.4)
        let again = try await fixture.service.signIn(provider, subject, device: 9)
        fixture.service.clock.advance(by: 0.4)
        try await fixture.service.services.providerEvents.handleEvents(body, from: provider)
        #expect(try await fixture.link(provider).state == .active)
        #expect(await fixture.isSessionValid(again.session))
    }

    @Test("an event older than the last authentication changes nothing, however late it arrives")
    func lateDuplicate() async throws {
        let fixture = try await Fixture()
        let body = Array(
            try fixture.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        try await fixture.service.services.providerEvents.handleEvents(body, from: .apple)
        fixture.service.clock.advance(by: 5)
        let again = try await fixture.service.signIn(.apple, "bob", device: 1)
        try await fixture.service.services.providerEvents.handleEvents(body, from: .apple)
        #expect(try await fixture.link(.apple).state == .active)
        #expect(await fixture.isSessionValid(again.session))
    }

    @Test(
        "both event names for a deleted Apple Account revoke the identity, and keep an account with another one",
        arguments: ["account-delete", "account-deleted"])
    func deleted(type: String) async throws {
        let fixture = try await Fixture()
        try await fixture.handleEvent(type)
        try await fixture.handleEvent(type)
        let account = try #require(try await fixture.service.components.accounts.account(fixture.user)).value
        #expect(account.state == .active && account.deletion == nil)
        #expect(try await fixture.link(.apple).state == .revoked)
        #expect(try await fixture.service.auditEvents(of: fixture.user).count { $0 == .providerRevoked } == 1)
    }

    @Test("a revoked identity stays bound: sign-up with it fails, and it does not count as a sign-in method")
    func claimStays() async throws {
        let fixture = try await Fixture()
        try await fixture.handleEvent("consent-revoked")
        await #expect(throws: ServiceError.accountAlreadyExists) {
            try await fixture.service.signUp(.apple, "bob", device: 9)
        }
        // The sign-up carried a valid token, so it may rightly have restored the link.
        try await fixture.handleEvent("tokens-revoked", from: .google, of: "g")
        #expect(try await fixture.link(.google).state == .revoked)
    }

    @Test("the latest state of relay mail forwarding is stored")
    func forwarding() async throws {
        let fixture = try await Fixture()
        let early = Array(
            try fixture.service.apple.event(DevelopmentEventRequest(type: "email-enabled", subject: "bob")))
        fixture.service.clock.advance(by: 1)
        try await fixture.handleEvent("email-disabled")
        try await fixture.service.services.providerEvents.handleEvents(early, from: .apple)
        #expect(try await fixture.link(.apple).history?.mailForwarding?.isOn == false)
        #expect(await fixture.isSessionValid(fixture.phone.session))
    }

    @Test(
        "Google's events end sessions, disable and re-enable",
        arguments: [
            "sessions-revoked", "account-credential-change-required", "tokens-revoked", "account-disabled",
            "account-purged",
        ])
    func google(type: String) async throws {
        let fixture = try await Fixture()
        try await fixture.handleEvent(type, from: .google, of: "g")
        #expect(await !fixture.isSessionValid(fixture.tablet.session))
        #expect(await fixture.isSessionValid(fixture.phone.session))
        let keeps = type == "sessions-revoked" || type == "account-credential-change-required"
        #expect(try await fixture.link(.google).state == (keeps ? .active : .revoked))
        fixture.service.clock.advance(by: 5)
        let body = Array(
            try fixture.service.google.event(DevelopmentEventRequest(type: "account-enabled", subject: "g")))
        try await fixture.service.services.providerEvents.handleEvents(body, from: .google)
        #expect(try await fixture.link(.google).state == (keeps || type == "account-disabled" ? .active : .revoked))
        #expect(await !fixture.isSessionValid(fixture.tablet.session), "a session came back with its link")
        let again = try await fixture.service.signIn(.google, "g", device: 3)
        #expect(await fixture.isSessionValid(again.session))
        // An event about a state that has already ended.
        let account = try #require(try await fixture.service.components.accounts.account(fixture.user)).value
        #expect(account.deletion == nil)
    }

    @Test("an event about an unknown identity or of an unknown type is accepted and changes nothing")
    func unknown() async throws {
        let fixture = try await Fixture()
        let before = try await fixture.service.components.accounts.account(fixture.user)?.value
        try await fixture.handleEvent("consent-revoked", of: "unknown")
        try await fixture.handleEvent("something-new")
        try await fixture.handleEvent("verification", from: .google, of: "g")
        #expect(try await fixture.service.components.accounts.account(fixture.user)?.value == before)
    }

    @Test("an event signed by another provider, or an ID token in place of an event, is rejected")
    func forged() async throws {
        let fixture = try await Fixture()
        let googles = try fixture.service.google.event(
            DevelopmentEventRequest(type: "sessions-revoked", subject: "bob"))
        let others = try fixture.service.apple.event(
            DevelopmentEventRequest(type: "consent-revoked", subject: "bob", audience: "another-app"))
        let token = try fixture.service.token(.apple, "bob")
        var changed = try fixture.service.apple.event(
            DevelopmentEventRequest(type: "consent-revoked", subject: "eve"))
        changed[changed.count - 4] ^= 1
        for body in [
            Array(googles), Array(#"{"payload":"\#(String(decoding: googles, as: UTF8.self))"}"#.utf8), Array(others),
            Array(#"{"payload":"\#(token)"}"#.utf8), Array(changed), Array("{}".utf8), [],
        ] {
            let error = await ServiceError.caught {
                try await fixture.service.services.providerEvents.handleEvents(body, from: .apple)
            }
            guard case .invalidEvent? = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
        #expect(try await fixture.link(.apple).state == .active)
        // An event is not an ID token either.
        let payload = try JSONDecoder().decode(
            [String: String].self,
            from: try fixture.service.apple.event(DevelopmentEventRequest(type: "consent-revoked", subject: "bob")))
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("events"))) {
            try await fixture.service.services.signIn.signIn(
                SignInRequest(
                    provider: .apple, idToken: payload["payload"] ?? "", device: TestService.device(4)
                )
            )
        }
    }
}
