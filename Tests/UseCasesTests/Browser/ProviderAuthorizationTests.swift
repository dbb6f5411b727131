import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A browser's authorization request to a provider: what it opens, and for whom.
@Suite struct ProviderAuthorizationTests {
    @Test("authorization at Apple creates an account with the provided name, and later authorizations sign in to it")
    func signUpAndIn() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        let bob = try await walk.open(.apple, .signup, as: "bob").caller
        #expect(try await service.services.account.profile(bob.user, caller: bob).profile.displayName == "Bob Example")
        service.clock.advance(by: 3600)
        let again = try await walk.open(.apple, .signin, as: "bob").caller
        #expect(again.user == bob.user && again.device.value.id == bob.device.value.id)
        #expect(again.device.value.platform == "web" && again.device.value.name == "A browser")
        let other = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").caller
        #expect(other.device.value.id != bob.device.value.id)
    }

    @Test("sign-in never creates an account, and sign-up never signs in")
    func actsAreApart() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        await #expect { try await walk.authorize(to: .google, for: .signin, as: "bob") } throws: { $0.isNoAccountFound }
        #expect(service.store.drainRequests().allSatisfy { !$0.key.hasPrefix("accounts/") || $0.kind == .read })
        _ = try await walk.open(.google, .signup, as: "bob")
        await #expect(throws: ServiceError.accountAlreadyExists) {
            try await walk.authorize(to: .google, for: .signup, as: "bob")
        }
    }

    @Test("a pending identity creates an account, or is linked after signing in to another one")
    func pendingIdentity() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        _ = try await walk.open(.apple, .signup, as: "bob")
        func pending() async throws -> String {
            do {
                _ = try await walk.authorize(to: .google, for: .signin, as: "bob")
            } catch ServiceError.noAccountFound(let identity) {
                return identity.pendingIdentity
            }
            return ""
        }
        let kept = try await pending()
        let bob = try await walk.open(.apple, .signin, as: "bob").caller
        #expect(
            try await service.services.linking.link(LinkRequest(pendingIdentity: kept), caller: bob).linkedProviders
                .count == 2)
        #expect(try await walk.open(.google, .signin, as: "bob").caller.user == bob.user)
        // Once, and in this browser only.
        await #expect(throws: ServiceError.invalidPendingIdentity(.alreadyUsed)) {
            try await service.services.browserSignIn.signUp(pendingIdentity: kept, in: walk.browser)
        }
        do {
            _ = try await walk.authorize(to: .google, for: .signin, as: "carol")
        } catch ServiceError.noAccountFound(let identity) {
            await #expect(throws: ServiceError.invalidPendingIdentity(.notAuthentic)) {
                try await service.services.browserSignIn.signUp(
                    pendingIdentity: identity.pendingIdentity, in: BrowserSignInFlow(service).browser)
            }
            _ = try await service.services.browserSignIn.signUp(
                pendingIdentity: identity.pendingIdentity, in: walk.browser)
        }
        #expect(try await walk.open(.google, .signin, as: "carol").caller.user != bob.user)
    }

    @Test("an authorization response is rejected in another browser, at another provider, if reused or too late")
    func refusals() async throws {
        let service = try await TestService.make()
        let (walk, eve) = (BrowserSignInFlow(service), BrowserSignInFlow(service))
        _ = try await walk.open(.apple, .signup, as: "bob")
        let response = try await walk.respond(at: .apple, for: .signin, as: "bob")
        await #expect(throws: ServiceError.invalidChallenge(.notAuthentic)) {
            try await walk.complete(response, at: .apple, in: eve.browser)
        }
        await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
            try await walk.complete(response, at: .google)
        }
        _ = try await walk.complete(response, at: .apple)
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("code rejected by the provider"))) {
            try await walk.complete(response, at: .apple)
        }
        // Eve's code in Bob's authorization request: it is bound to her own challenge.
        let (theirs, ours) = (
            try await eve.respond(at: .apple, for: .signin, as: "eve"),
            try await walk.respond(at: .apple, for: .signin, as: "bob")
        )
        let mixed = ProviderAuthorizationResponse(
            state: ours.state, code: theirs.code, error: nil, issuer: nil, name: nil)
        await #expect(throws: ServiceError.invalidToken(.ruleNotMet("code rejected by the provider"))) {
            try await walk.complete(mixed, at: .apple)
        }
        let late = try await walk.respond(at: .apple, for: .signin, as: "bob")
        service.clock.advance(by: 601)
        await #expect(throws: ServiceError.invalidChallenge(.expired)) { try await walk.complete(late, at: .apple) }
    }

    @Test("a cancelled authorization changes nothing, and a response from another issuer is rejected")
    func turnedBack() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        guard case .cancelled = try await walk.authorize(to: .apple, for: .signup, as: "") else {
            throw ServiceError.notFound
        }
        let asked = try await walk.respond(at: .apple, for: .signup, as: "bob")
        for (error, shown) in [
            ("server_error", "server_error"), ("invalid_scope", "invalid_scope"), ("a b\u{7}", "a?b?"),
        ] {
            let expected = ServiceError.invalidToken(.ruleNotMet("apple ended the authorization request: \(shown)"))
            let response = ProviderAuthorizationResponse(
                state: asked.state, code: nil, error: error, issuer: nil, name: nil)
            await #expect(throws: expected) { try await walk.complete(response, at: .apple) }
        }
        let good = try await walk.respond(at: .google, for: .signup, as: "bob")
        #expect(good.issuer == service.google.issuer)
        let bad = ProviderAuthorizationResponse(
            state: good.state, code: good.code, error: nil, issuer: service.apple.issuer, name: nil)
        await #expect(throws: ServiceError.invalidToken(.wrongIssuer)) { try await walk.complete(bad, at: .google) }
    }

    @Test("linking requires recent authentication before it begins, and both are bound to their session")
    func linking() async throws {
        let service = try await TestService.make()
        let walk = BrowserSignInFlow(service)
        let (cookie, bob) = try await walk.open(.apple, .signup, as: "bob")
        service.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await walk.respond(at: .google, for: .link, as: "bob", caller: bob)
        }
        _ = try await walk.authorize(to: .apple, for: .reauthenticate, as: "bob", caller: bob)
        let proven = try await service.services.authenticator.authenticate(browserCookie: cookie)
        let response = try await walk.respond(at: .google, for: .link, as: "bob", caller: proven)
        // Another user has since signed in on this browser.
        let eve = try await walk.open(.apple, .signup, as: "eve").caller
        for other in [eve, nil] {
            await #expect(throws: ServiceError.invalidChallenge(.wrongPurpose)) {
                try await walk.complete(response, at: .google, caller: other)
            }
        }
        _ = try await walk.complete(response, at: .google, caller: proven)
        #expect(try await walk.open(.google, .signin, as: "bob").caller.user == bob.user)
    }

    @Test("Apple's refresh token is stored for later revocation")
    func refreshToken() async throws {
        let service = try await TestService.make()
        let bob = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
        let link = try #require(bob.account.value.links.first)
        let kept = try #require(try await service.components.providerTokens.tokens(of: link.id, bob.user))
        #expect(try service.components.providerTokens.open(kept.value, bob.user).map(\.clientID) == ["photolala-dev"])
    }
}
