import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@Suite struct ProviderSignInTests {
    private static let challenge = FakeServer.json(Challenge(challenge: "c-1", expiresAt: ClientFixture.start))

    @Test func `the provider gets the challenge as nonce, and the server the credential`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [Self.challenge], "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/reauthenticate": [ClientFixture.refreshed("fresh")],
            "POST /auth/link-account": [FakeServer.json(LinkedProviders(linkedProviders: []))],
        ]) { fixture in
            let (session, apple) = (try fixture.session(), FakeProvider())
            try await session.signIn(with: apple)
            try await session.reauthenticate(with: apple)
            try await session.link(with: apple)
            #expect(apple.nonces == ["c-1", "c-1", "c-1"])
            let purposes = fixture.server.requests("/auth/challenge").map(\.text)
            for (purpose, text) in zip(["signin", "reauthenticate", "link"], purposes) {
                #expect(text.contains(#""purpose":"\#(purpose)""#))
            }
            let body = try #require(fixture.server.requests("/auth/signin").first?.text)
            #expect(body.contains(#""challenge":"c-1""#) && body.contains(#""authorizationCode":"code""#))
            #expect(!body.contains("Bob") && !body.contains("001.apple"), "both stay on the device")
        }
    }

    @Test func `a cancelled sheet sends no sign-in`() async throws {
        try await ClientFixture.with(["POST /auth/challenge": [Self.challenge]]) { fixture in
            let apple = FakeProvider(isCancelled: true)
            await expect(.cancelled) { try await fixture.session().signIn(with: apple) }
            #expect(fixture.server.requests("/auth/signin").isEmpty)
        }
    }

    @Test func `the name of a sign-in that finds no account is kept for the sign-up`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [Self.challenge],
            "POST /auth/signin": [FakeServer.problem(.noAccountFound, 404, pending: "sealed")],
            "POST /auth/signup": [ClientFixture.signedInAnswer()],
        ]) { fixture in
            await expect(.noAccountFound) { try await fixture.session().signIn(with: FakeProvider()) }
            // The app was restarted, and Apple gives no name again.
            let session = try fixture.session()
            let pending = try #require(try await session.pendingIdentity())
            try await session.signUp(.pending(pending))
            let body = try #require(fixture.server.requests("/auth/signup").first?.text)
            #expect(body.contains(#""fullName":"Bob Appleseed""#))
        }
    }

    @Test func `the name is not used for another pending identity`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [Self.challenge],
            "POST /auth/signin": [FakeServer.problem(.noAccountFound, 404, pending: "sealed")],
            "POST /auth/signup": [ClientFixture.signedInAnswer()],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(with: FakeProvider()) }
            try await session.signUp(
                .pending(PendingIdentity(value: "another", provider: .google, expiresAt: nil)))
            let body = try #require(fixture.server.requests("/auth/signup").first?.text)
            #expect(!body.contains("Bob"))
        }
    }

    @Test func `a sign-up sends the provider's name`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [Self.challenge], "POST /auth/signup": [ClientFixture.signedInAnswer()],
        ]) { fixture in
            try await fixture.session().signUp(with: FakeProvider())
            let body = try #require(fixture.server.requests("/auth/signup").first?.text)
            #expect(body.contains(#""fullName":"Bob Appleseed""#) && body.contains(#""challenge":"c-1""#))
        }
    }
}

/// A provider's sheet in which Bob signs in at once.
final class FakeProvider: ProviderSignIn {
    let provider: ProviderName
    private let isCancelled: Bool
    private let answer: ProviderAccess
    private let seen = Mutex<[String]>([])
    private let asked = Mutex<[String]>([])

    init(_ provider: ProviderName = .apple, isCancelled: Bool = false, access: ProviderAccess = .allowed) {
        (self.provider, self.isCancelled, answer) = (provider, isCancelled, access)
    }

    var nonces: [String] { seen.withLock { $0 } }
    var subjects: [String] { asked.withLock { $0 } }

    func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
        seen.withLock { $0.append(nonce) }
        guard !isCancelled else { throw PhotolalaError(code: .cancelled, detail: "Cancelled.") }
        return ProviderCredential(
            provider: provider, idToken: "id-token", challenge: nonce, authorizationCode: "code",
            fullName: "Bob Appleseed", subject: "001.apple")
    }

    func access(of subject: String) async -> ProviderAccess {
        asked.withLock { $0.append(subject) }
        return answer
    }
}
