import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing
import Transport

@Suite("Responses of the server") struct AnswerTests {
    @Test("a problem response keeps all its members")
    func problem() async throws {
        try await World.with(["POST /auth/signup": [FakeServer.problem(.rateLimited, 429, retryAfter: "7")]]) { world in
            do {
                try await world.session().signUp(.credential(World.credential))
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
        try await World.with(["POST /auth/signup": [page]]) { world in
            await expect(.notPhotolala) { try await world.session().signUp(.credential(World.credential)) }
        }
    }

    @Test("a gateway error without a problem body is temporary", arguments: [502, 503, 504])
    func proxy(_ status: Int) async throws {
        let page: FakeServer.Response = { _ in .text("Bad Gateway", status: status, type: "text/plain") }
        try await World.with(["POST /auth/signup": [page]]) { world in
            await expect(.temporarilyUnavailable) { try await world.session().signUp(.credential(World.credential)) }
        }
    }

    @Test("a response of the wrong shape throws notPhotolala")
    func shape() async throws {
        let answer: FakeServer.Response = { _ in .text(#"{"user":1}"#, status: 201, type: "application/json") }
        try await World.with(["POST /auth/signup": [answer]]) { world in
            await expect(.notPhotolala) { try await world.session().signUp(.credential(World.credential)) }
        }
    }

    @Test("a response above the size limit throws notPhotolala")
    func endless() async throws {
        let answer: FakeServer.Response = { _ in
            .text(String(repeating: "x", count: 5 << 20), status: 200, type: "application/json")
        }
        try await World.with(["POST /auth/signup": [answer]]) { world in
            await expect(.notPhotolala) { try await world.session().signUp(.credential(World.credential)) }
        }
    }

    @Test("a request above the size limit is not sent")
    func largeBody() async throws {
        try await World.with { world in
            let proof = ProviderCredential(provider: .apple, idToken: String(repeating: "x", count: 1 << 20))
            await expect(.bodyTooLarge) { try await world.session().signUp(.credential(proof)) }
            #expect(world.server.requests("/auth/signup").isEmpty)
        }
    }

    @Test("a sign-in reports the providers whose unlinking it cancelled")
    func undoneUnlinks() async throws {
        let kept = LinkedProvider(
            linkID: LinkID(uuid: World.user.uuid), provider: .google, email: nil, linkedAt: World.start,
            lastUsedAt: nil, linkMethod: .userInitiated, isPrimary: true, state: .active)
        let user = User(
            serviceUserID: World.user, primaryProvider: .google, linkedProviders: [kept], createdAt: World.start,
            subscription: Subscription(tier: .free, storageLimit: 5))
        for undone in [[kept.linkID], nil] {
            let answer = SignedIn(user: user, session: World.tokens("1"), undoneUnlinks: undone)
            try await World.with(["POST /auth/signin": [FakeServer.json(answer)]]) { world in
                let report = try await world.session().signInReport(World.credential)
                #expect(report.keptProviders.map(\.linkID) == undone ?? [])
            }
        }
    }
}
