import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@Suite("Responses of the server") struct AnswerTests {
    @Test("a problem response keeps all its members")
    func problem() async throws {
        try await ClientFixture.with(["POST /auth/signup": [FakeServer.problem(.rateLimited, 429, retryAfter: "7")]]) {
            fixture in
            do {
                try await fixture.session().signUp(.credential(ClientFixture.credential))
                Issue.record("an error was expected")
            } catch {
                #expect(
                    error as? PhotolalaError
                        == PhotolalaError(
                            code: .rateLimited, status: 429, detail: "about rate_limited", requestID: "r-1",
                            retryAfter: 7
                        )
                )
            }
        }
    }

    @Test("a response that is not from a Photolala server throws notPhotolala", arguments: [200, 301, 404, 500])
    func stranger(_ status: Int) async throws {
        let page: FakeServer.Response = { _ in .text("<html>Welcome to the hotel", status: status, type: "text/html") }
        try await ClientFixture.with(["POST /auth/signup": [page]]) { fixture in
            await expect(.notPhotolala) { try await fixture.session().signUp(.credential(ClientFixture.credential)) }
        }
    }

    @Test("a gateway error without a problem body is temporary", arguments: [502, 503, 504])
    func proxy(_ status: Int) async throws {
        let page: FakeServer.Response = { _ in .text("Bad Gateway", status: status, type: "text/plain") }
        try await ClientFixture.with(["POST /auth/signup": [page]]) { fixture in
            await expect(.temporarilyUnavailable) {
                try await fixture.session().signUp(.credential(ClientFixture.credential))
            }
        }
    }

    @Test("a response of the wrong shape throws notPhotolala")
    func shape() async throws {
        let response: FakeServer.Response = { _ in .text(#"{"user":1}"#, status: 201, type: "application/json") }
        try await ClientFixture.with(["POST /auth/signup": [response]]) { fixture in
            await expect(.notPhotolala) { try await fixture.session().signUp(.credential(ClientFixture.credential)) }
        }
    }

    @Test("a response above the size limit throws notPhotolala")
    func endless() async throws {
        let response: FakeServer.Response = { _ in
            .text(String(repeating: "x", count: 5 << 20), status: 200, type: "application/json")
        }
        try await ClientFixture.with(["POST /auth/signup": [response]]) { fixture in
            await expect(.notPhotolala) { try await fixture.session().signUp(.credential(ClientFixture.credential)) }
        }
    }

    @Test("a request above the size limit is not sent")
    func largeBody() async throws {
        try await ClientFixture.with { fixture in
            let proof = ProviderCredential(provider: .apple, idToken: String(repeating: "x", count: 1 << 20))
            await expect(.bodyTooLarge) { try await fixture.session().signUp(.credential(proof)) }
            #expect(fixture.server.requests("/auth/signup").isEmpty)
        }
    }

    @Test("a sign-in reports the providers whose unlinking it cancelled")
    func undoneUnlinks() async throws {
        let kept = LinkedProvider(
            linkID: LinkID(uuid: ClientFixture.user.uuid), provider: .google, email: nil, linkedAt: ClientFixture.start,
            lastUsedAt: nil, linkMethod: .userInitiated, isPrimary: true, state: .active)
        let user = User(
            serviceUserID: ClientFixture.user, primaryProvider: .google, linkedProviders: [kept],
            createdAt: ClientFixture.start,
            subscription: Subscription(tier: .free, storageLimit: 5))
        for undone in [[kept.linkID], nil] {
            let response = SignedIn(user: user, session: ClientFixture.tokens("1"), undoneUnlinks: undone)
            try await ClientFixture.with(["POST /auth/signin": [FakeServer.json(response)]]) { fixture in
                let report = try await fixture.session().signInReport(ClientFixture.credential)
                #expect(report.keptProviders.map(\.linkID) == undone ?? [])
            }
        }
    }
}
