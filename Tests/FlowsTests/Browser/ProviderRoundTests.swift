import Accounts
import Flows
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A browser's authorization request to a provider: what it opens, and for whom.
@Suite struct ProviderRoundTests {
    @Test("authorization at Apple creates an account with the provided name, and later authorizations sign in to it")
    func signUpAndIn() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        let bob = try await walk.open(.apple, .signup, as: "bob").caller
        #expect(try await service.services.profile(bob.user, caller: bob).profile.displayName == "Bob Example")
        service.clock.advance(by: 3600)
        let again = try await walk.open(.apple, .signin, as: "bob").caller
        #expect(again.user == bob.user && again.device.value.id == bob.device.value.id)
        #expect(again.device.value.platform == "web" && again.device.value.name == "A browser")
        let other = try await BrowserWalk(service).open(.apple, .signin, as: "bob").caller
        #expect(other.device.value.id != bob.device.value.id)
    }

    @Test("sign-in never creates an account, and sign-up never signs in")
    func actsAreApart() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        await #expect(throws: FlowError.self) { try await walk.go(to: .google, for: .signin, as: "bob") }
        #expect(service.store.takeRequests().allSatisfy { !$0.key.hasPrefix("accounts/") || $0.kind == .read })
        _ = try await walk.open(.google, .signup, as: "bob")
        await #expect(throws: FlowError.accountAlreadyExists) {
            try await walk.go(to: .google, for: .signup, as: "bob")
        }
    }

    @Test("a pending identity creates an account, or is linked after signing in to another one")
    func pendingIdentity() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        _ = try await walk.open(.apple, .signup, as: "bob")
        func pending() async throws -> String {
            do {
                _ = try await walk.go(to: .google, for: .signin, as: "bob")
            } catch FlowError.noAccountFound(let identity) {
                return identity.pendingIdentity
            }
            return ""
        }
        let kept = try await pending()
        let bob = try await walk.open(.apple, .signin, as: "bob").caller
        #expect(
            try await service.services.link(LinkRequest(pendingIdentity: kept), caller: bob).linkedProviders.count == 2)
        #expect(try await walk.open(.google, .signin, as: "bob").caller.user == bob.user)
        // Once, and in this browser only.
        await #expect(throws: FlowError.invalidPendingIdentity(.spent)) {
            try await service.services.signUp(pendingIdentity: kept, in: walk.browser)
        }
        do {
            _ = try await walk.go(to: .google, for: .signin, as: "carol")
        } catch FlowError.noAccountFound(let identity) {
            await #expect(throws: FlowError.invalidPendingIdentity(.notAuthentic)) {
                try await service.services.signUp(
                    pendingIdentity: identity.pendingIdentity, in: BrowserWalk(service).browser)
            }
            _ = try await service.services.signUp(pendingIdentity: identity.pendingIdentity, in: walk.browser)
        }
        #expect(try await walk.open(.google, .signin, as: "carol").caller.user != bob.user)
    }

    @Test("an authorization response is rejected in another browser, at another provider, if reused or too late")
    func refusals() async throws {
        let service = try await TestService.make()
        let (walk, eve) = (BrowserWalk(service), BrowserWalk(service))
        _ = try await walk.open(.apple, .signup, as: "bob")
        let answer = try await walk.answer(at: .apple, for: .signin, as: "bob")
        await #expect(throws: FlowError.invalidChallenge(.notAuthentic)) {
            try await walk.finish(answer, at: .apple, in: eve.browser)
        }
        await #expect(throws: FlowError.invalidChallenge(.wrongPurpose)) {
            try await walk.finish(answer, at: .google)
        }
        _ = try await walk.finish(answer, at: .apple)
        await #expect(throws: FlowError.self) { try await walk.finish(answer, at: .apple) }
        // Eve's code in Bob's authorization request: it is bound to her own challenge.
        let (theirs, ours) = (
            try await eve.answer(at: .apple, for: .signin, as: "eve"),
            try await walk.answer(at: .apple, for: .signin, as: "bob")
        )
        let mixed = ProviderAnswer(state: ours.state, code: theirs.code, error: nil, issuer: nil, name: nil)
        await #expect(throws: FlowError.self) { try await walk.finish(mixed, at: .apple) }
        let late = try await walk.answer(at: .apple, for: .signin, as: "bob")
        service.clock.advance(by: 601)
        await #expect(throws: FlowError.invalidChallenge(.expired)) { try await walk.finish(late, at: .apple) }
    }

    @Test("a cancelled authorization changes nothing, and a response from another issuer is rejected")
    func turnedBack() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        guard case .turnedBack = try await walk.go(to: .apple, for: .signup, as: "") else { throw FlowError.notFound }
        let asked = try await walk.answer(at: .apple, for: .signup, as: "bob")
        for (error, expected) in [
            ("server_error", FlowError.unavailable("apple: server_error")),
            ("invalid_scope", .internal("apple refuses our request: invalid_scope")),
            ("a b\u{7}", .internal("apple refuses our request: a?b?")),
        ] {
            let answer = ProviderAnswer(state: asked.state, code: nil, error: error, issuer: nil, name: nil)
            await #expect(throws: expected) { try await walk.finish(answer, at: .apple) }
        }
        let good = try await walk.answer(at: .google, for: .signup, as: "bob")
        #expect(good.issuer == service.google.issuer)
        let bad = ProviderAnswer(
            state: good.state, code: good.code, error: nil, issuer: service.apple.issuer, name: nil)
        await #expect(throws: FlowError.invalidToken(.wrongIssuer)) { try await walk.finish(bad, at: .google) }
    }

    @Test("linking requires recent authentication before it begins, and both are bound to their session")
    func linking() async throws {
        let service = try await TestService.make()
        let walk = BrowserWalk(service)
        let (cookie, bob) = try await walk.open(.apple, .signup, as: "bob")
        service.clock.advance(by: 601)
        await #expect(throws: FlowError.reauthenticationRequired) {
            try await walk.answer(at: .google, for: .link, as: "bob", caller: bob)
        }
        _ = try await walk.go(to: .apple, for: .reauthenticate, as: "bob", caller: bob)
        let proven = try await service.services.authenticate(browserCookie: cookie)
        let answer = try await walk.answer(at: .google, for: .link, as: "bob", caller: proven)
        // Another user has since signed in on this browser.
        let eve = try await walk.open(.apple, .signup, as: "eve").caller
        for other in [eve, nil] {
            await #expect(throws: FlowError.invalidChallenge(.wrongPurpose)) {
                try await walk.finish(answer, at: .google, caller: other)
            }
        }
        _ = try await walk.finish(answer, at: .google, caller: proven)
        #expect(try await walk.open(.google, .signin, as: "bob").caller.user == bob.user)
    }

    @Test("Apple's refresh token is stored for later revocation")
    func refreshToken() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserWalk(service).open(.apple, .signup, as: "bob").caller
        let link = try #require(bob.account.value.links.first)
        let kept = try #require(try await service.services.providerTokens.tokens(of: link.id, bob.user))
        #expect(try service.services.providerTokens.open(kept.value, bob.user).map(\.clientID) == ["photolala-dev"])
    }
}
