import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Delayed unlinking and its undo over HTTP.
@Suite struct UnlinkTests {
    private func service() async throws -> TestService {
        var options = TestService.Options()
        options.unlinkDelay = 86_400
        return try await TestService.make(options)
    }

    private func links(_ http: HTTPExchange, _ session: Session) async throws -> [LinkedProvider] {
        let response = try await http.send(.get, "/auth/linked-accounts", token: session.accessToken)
        return try http.answer(response, as: LinkedProviders.self).linkedProviders
    }

    @Test("unlinking the first identity returns its state and date, and DELETE undoes it from another session")
    func undo() async throws {
        let service = try await service()
        try await service.exchange { http in
            let bob = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1)
            let google = try service.token(.google, "bob")
            #expect(try await http.requestLink(.google, google, bob.session).status == .ok)
            let tablet = try await http.signIn(.google, try service.token(.google, "bob"), device: 2).session
            let apple = try #require(bob.user.linkedProviders.first).linkID
            let unlinked = try await http.post(
                "/auth/unlink-account", UnlinkRequest(linkID: apple), token: bob.session.accessToken)
            #expect(unlinked.status == .ok)
            let pending = try http.answer(unlinked, as: LinkedProviders.self).linkedProviders
            #expect(pending.map(\.state) == [.removing, .active])
            #expect(pending[0].unlinksAt == service.clock.now.addingTimeInterval(86_400))
            let text = String(buffer: unlinked.body)
            #expect(text.contains(#""state":"removing""#) && text.contains(#""unlinksAt":"2026-"#), "\(text)")
            #expect(try await links(http, tablet) == pending)

            let path = "/auth/unlink-account/\(apple)"
            for _ in 0..<2 {
                let undone = try await http.send(.delete, path, token: tablet.accessToken)
                #expect(undone.status == .ok)
                #expect(
                    try http.answer(undone, as: LinkedProviders.self).linkedProviders.map(\.state) == [
                        .active, .active,
                    ])
            }
            #expect(
                !String(buffer: try await http.send(.get, "/auth/linked-accounts", token: tablet.accessToken).body)
                    .contains("unlinksAt"))
        }
    }

    @Test("undoing an unknown or malformed id returns 404; linking in a session whose link is pending returns 409")
    func refusals() async throws {
        let service = try await service()
        try await service.exchange { http in
            let bob = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1)
            _ = try await http.requestLink(.google, try service.token(.google, "bob"), bob.session)
            for id in ["0a000000-0000-4000-8000-000000000001", "nothing"] {
                let response = try await http.send(
                    .delete, "/auth/unlink-account/\(id)", token: bob.session.accessToken)
                #expect(try http.problem(response).code == .notFound)
            }
            let apple = try #require(bob.user.linkedProviders.first).linkID
            _ = try await http.post(
                "/auth/unlink-account", UnlinkRequest(linkID: apple), token: bob.session.accessToken)
            let refused = try await http.requestLink(.facebook, try service.token(.facebook, "bob"), bob.session)
            #expect(refused.status == .conflict)
            #expect(try http.problem(refused).code == .unlinkPending)
        }
    }
}
