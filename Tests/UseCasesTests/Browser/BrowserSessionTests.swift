import Crypto
import Foundation
import JWS
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// Browser sessions last and end like other sessions, and their cookies are useless to apps.
@Suite struct BrowserSessionTests {
    @Test("API calls for apps reject the browser cookie")
    func notForApps() async throws {
        let service = try await TestService.make()
        let cookie = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").cookie
        let refreshToken = String(cookie[..<(try #require(cookie.lastIndex(of: ".")))])
        let key = P256.Signing.PrivateKey()
        let other = ServiceError.invalidDPoPProof("the refresh token is bound to another key")
        for (text, unproven, proven) in [
            (cookie, ServiceError.sessionEnded, ServiceError.sessionEnded),
            (refreshToken, .invalidDPoPProof("missing for a bound refresh token"), other),
        ] {
            await #expect(throws: unproven) {
                try await service.services.sessions.refresh(RefreshRequest(refreshToken: text))
            }
            await #expect(throws: proven) {
                try await service.services.sessions.refresh(
                    RefreshRequest(refreshToken: text), try service.dpopProof(of: key, "POST", "/auth/refresh"))
            }
            await #expect(throws: ServiceError.unauthorized("not a JWT")) {
                try await service.services.authenticator.authenticate(text)
            }
        }
    }

    @Test("a modified cookie, or one built from an app's session, opens no session")
    func forgeries() async throws {
        let service = try await TestService.make()
        let (cookie, bob) = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob")
        let other = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").cookie
        let app = try await service.signIn(.apple, "dev-bob", device: 5).session
        let secret = cookie.split(separator: ".").last.map(String.init) ?? ""
        let ticket = cookie.split(separator: ".").dropLast().joined(separator: ".")
        let forged = [
            "", ".", cookie + "A", String(cookie.dropLast()), "\(ticket).\(String(repeating: "A", count: 43))",
            "\(app.refreshToken).\(secret)",
            "\(other.split(separator: ".").dropLast().joined(separator: ".")).\(secret)",
            String(repeating: "x.", count: 400),
        ]
        _ = service.store.drainRequests()
        for text in forged {
            await #expect(throws: ServiceError.unauthorized("browser cookie")) {
                try await service.services.authenticator.authenticate(browserCookie: text)
            }
        }
        #expect(service.store.drainRequests().isEmpty, "a forged cookie costs no request")
        #expect(try await service.services.authenticator.authenticate(browserCookie: cookie).user == bob.user)
        #expect(service.store.drainRequests().count == 2)
    }

    @Test("a browser session ends with sign-out, sign-out everywhere, device removal, unlinking or after thirty days")
    func endings() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        func isOpen(_ cookie: String) async -> Bool {
            (try? await service.services.authenticator.authenticate(browserCookie: cookie)) != nil
        }
        let first = try await walk.open(.apple, .signup, as: "bob").cookie
        try await service.services.sessions.signOut(browserCookie: first)
        #expect(await isOpen(first) == false)
        let (second, bob) = try await walk.open(.apple, .signin, as: "bob")
        #expect(await isOpen(first) == false)
        try await service.services.sessions.signOutEverywhere(bob)
        #expect(await isOpen(second) == false)
        let third = try await walk.open(.apple, .signin, as: "bob")
        try await service.services.devices.removeDevice(third.caller.device.value.id, caller: third.caller)
        #expect(await isOpen(third.cookie) == false)
        let (fourth, again) = try await walk.open(.apple, .signin, as: "bob")
        _ = try await walk.authorize(to: .google, for: .link, as: "bob", caller: again)
        let fifth = try await BrowserSignInFlow(service).open(.google, .signin, as: "bob").cookie
        let links = try await service.services.account.linkedAccounts(
            try await service.services.authenticator.authenticate(browserCookie: fourth)
        ).linkedProviders
        let google = try #require(links.first { $0.provider == .google })
        _ = try await service.services.linking.unlink(
            UnlinkRequest(linkID: google.linkID),
            caller: try await service.services.authenticator.authenticate(browserCookie: fourth))
        #expect(await isOpen(fifth) == false)
        #expect(await isOpen(fourth))
        service.clock.advance(by: 30 * 86_400)
        #expect(await isOpen(fourth) == false)
    }

    @Test("an active browser updates its last-seen time once a day")
    func lastSeen() async throws {
        let service = try await TestService.make()
        let cookie = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").cookie
        let start = service.clock.now
        for (advance, writes) in [(3600.0, 0), (86_400, 1), (60, 0)] {
            service.clock.advance(by: advance)
            _ = service.store.drainRequests()
            _ = try await service.services.authenticator.authenticate(browserCookie: cookie)
            #expect(service.store.drainRequests().count { $0.kind == .write } == writes)
        }
        let seen = try await service.services.authenticator.authenticate(browserCookie: cookie).device.value.lastSeenAt
        #expect(seen == start.addingTimeInterval(90_000))
    }

    @Test("a form token is bound to one browser and one session")
    func formTokens() async throws {
        let service = try await TestService.make()
        let (walk, eve) = (BrowserSignInFlow(service), BrowserSignInFlow(service))
        let bob = try await walk.open(.apple, .signup, as: "bob").caller
        let services = service.services
        let (outside, inside) = (
            try services.formTokens.makeToken(walk.browser, nil), try services.formTokens.makeToken(walk.browser, bob)
        )
        try services.formTokens.check(outside, walk.browser, nil)
        try services.formTokens.check(inside, walk.browser, bob)
        let wrong: [(String?, Browser?, Caller?)] = [
            (outside, walk.browser, bob), (inside, walk.browser, nil), (inside, eve.browser, bob),
            (inside, nil, bob), (nil, walk.browser, bob), ("", walk.browser, bob), ("test.AAAA", walk.browser, bob),
        ]
        for (token, browser, caller) in wrong {
            #expect(throws: ServiceError.formOutdated) { try services.formTokens.check(token, browser, caller) }
        }
    }
}
