import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@Suite("Pending identities") struct PendingIdentityTests {
    private static let noAccount = FakeServer.problem(.noAccountFound, 404, pending: "sealed")

    @Test("a sign-in that finds no account stores the pending identity and reports the hints")
    func kept() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.noAccount]]) { fixture in
            do {
                try await fixture.session().signIn(ClientFixture.credential)
                Issue.record("an error was expected")
            } catch {
                let error = try #require(error as? PhotolalaError)
                #expect(error.code == .noAccountFound)
                #expect(error.hints == [AccountHint(provider: .apple)])
            }
            let pending = try #require(try await fixture.session().pendingIdentity())
            #expect(pending.value == "sealed")
            #expect(pending.provider == .google)
            #expect(try await fixture.session().signedInUserID() == nil)
        }
    }

    @Test("a pending identity expires after ten minutes and is not available to another server")
    func bounds() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.noAccount]]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            #expect(try await fixture.session(at: "https://evil.example").pendingIdentity() == nil)
            fixture.clock.advance(by: 600)
            #expect(try await session.pendingIdentity() == nil)
        }
    }

    @Test("a sign-up sends the pending identity instead of a token and removes it")
    func signUp() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.noAccount], "POST /auth/signup": [ClientFixture.signedInAnswer()],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            let pending = try #require(try await session.pendingIdentity())
            try await session.signUp(.pending(pending))
            let body = try #require(fixture.server.requests("/auth/signup").first?.text)
            #expect(body.contains(#""pendingIdentity":"sealed""#))
            #expect(!body.contains("idToken"))
            #expect(try await session.pendingIdentity() == nil)
        }
    }

    @Test("a sign-in keeps the pending identity, which the account can then link")
    func linkAfterSignIn() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.noAccount, ClientFixture.signedInAnswer()],
            "POST /auth/link-account": [FakeServer.json(LinkedProviders(linkedProviders: []))],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            try await session.signIn(ClientFixture.credential)
            let pending = try #require(try await session.pendingIdentity())
            _ = try await session.link(.pending(pending))
            let body = try #require(fixture.server.requests("/auth/link-account").first?.text)
            #expect(body.contains(#""pendingIdentity":"sealed""#))
            #expect(try await session.pendingIdentity() == nil)
        }
    }

    @Test(
        "a sign-in that links the pending identity succeeds even if the link is rejected",
        arguments: [nil, ErrorCode.providerAlreadyLinked])
    func linkWithSignIn(refusal: ErrorCode?) async throws {
        let link = LinkedProviders(linkedProviders: [])
        try await ClientFixture.with([
            "POST /auth/signin": [Self.noAccount, ClientFixture.signedInAnswer()],
            "POST /auth/link-account": [refusal.map { FakeServer.problem($0, 409) } ?? FakeServer.json(link)],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            let pending = try #require(try await session.pendingIdentity())
            let signedIn = try await session.signIn(ClientFixture.credential, linking: pending)
            #expect(signedIn.failure?.code == refusal)
            #expect(try await session.signedInUserID() == signedIn.user.serviceUserID)
            let body = try #require(fixture.server.requests("/auth/link-account").first?.text)
            #expect(body.contains(#""pendingIdentity":"sealed""#))
        }
    }

    @Test("a rejected pending identity is removed, and one with a temporary failure is kept")
    func refused() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.noAccount],
            "POST /auth/signup": [
                FakeServer.problem(.temporarilyUnavailable, 503), FakeServer.problem(.invalidPendingIdentity, 401),
            ],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            let pending = try #require(try await session.pendingIdentity())
            await expect(.temporarilyUnavailable) { try await session.signUp(.pending(pending)) }
            #expect(try await session.pendingIdentity() == pending)
            await expect(.invalidPendingIdentity) { try await session.signUp(.pending(pending)) }
            #expect(try await session.pendingIdentity() == nil)
        }
    }

    @Test("texts and dumps of the error have no secret")
    func texts() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.noAccount]]) { fixture in
            do {
                try await fixture.session().signIn(ClientFixture.credential)
                Issue.record("an error was expected")
            } catch {
                let failure = try #require(error as? PhotolalaError)
                #expect(failure.pendingIdentity?.value == "sealed")
                var dumped = ""
                dump(failure, to: &dumped)
                for text in ["\(failure)", String(reflecting: failure), dumped] { #expect(!text.contains("sealed")) }
            }
        }
    }

    @Test("a sign-out removes the pending identity")
    func signOut() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.noAccount, ClientFixture.signedInAnswer()],
            "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            try await session.signIn(ClientFixture.credential)
            #expect(try await session.pendingIdentity() != nil)
            try await session.signOut()
            #expect(try await session.pendingIdentity() == nil)
        }
    }
}
