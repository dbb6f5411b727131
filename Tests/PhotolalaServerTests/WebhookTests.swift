import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Provider webhooks over HTTP.
@Suite struct WebhookTests {
    private func event(
        _ provider: String, _ type: String, _ http: HTTPExchange
    ) async throws -> TestResponse {
        let body = try await http.send(
            .post, "/dev/providers/\(provider)/event", json: #"{"type":"\#(type)","subject":"bob"}"#)
        #expect(body.status == .ok)
        let kind = provider == "apple" ? "application/json" : "application/secevent+jwt"
        return try await http.client.execute(
            uri: "/webhooks/\(provider)", method: .post, headers: [.contentType: kind], body: body.body)
    }

    @Test("a development provider's event is applied; Apple gets 200, Google 202")
    func taken() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            #expect(try await event("google", "sessions-revoked", http).status == .accepted)
            let user = "/users/\(bob.user.serviceUserID)"
            #expect(try await http.send(.get, user, token: bob.session.accessToken).status == .ok)
            #expect(try await event("apple", "consent-revoked", http).status == .ok)
            let ended = try await http.send(.get, user, token: bob.session.accessToken)
            #expect(try http.problem(ended).code == .sessionEnded)
            service.clock.advance(by: 5)
            let again = try await service.signIn(.apple, "bob")
            let audit = try await http.send(.get, "\(user)/audit", token: again.session.accessToken)
            let page = try http.answer(audit, as: AuditPage.self)
            #expect(page.entries.contains { $0.act == .providerRevoked && $0.actor == .provider })
        }
    }

    @Test("a malformed event returns 400, and a provider without events 404")
    func refused() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            for path in ["/webhooks/apple", "/webhooks/google"] {
                for body in [#"{"payload":"a.b.c"}"#, "{}", "\u{0}"] {
                    let response = try await http.send(.post, path, json: body)
                    #expect(try http.problem(response).code == .invalidEvent)
                }
                let read = try await http.send(.get, path)
                #expect(read.status == .methodNotAllowed)
            }
            let other = try await http.send(.post, "/webhooks/microsoft", json: "{}")
            #expect(other.status == .notFound)
        }
    }
}
