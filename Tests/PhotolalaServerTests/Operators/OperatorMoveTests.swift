import HTTPTypes
import HummingbirdTesting
import Operators
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Moves of identities through the operator API.
@Suite struct OperatorMoveTests {
    @Test("two operators move an identity; the log names both accounts, and the report shows the move")
    func moved() async throws {
        let fixture = try await OperatorFixture()
        let service = fixture.service
        let bob = try await service.signUp(.google, "bob", device: 1)
        _ = try await service.link(.facebook, "bob", in: bob.session)
        let (from, to) = (bob.user.serviceUserID, try await service.signUp(.apple, "bob", device: 2).user.serviceUserID)
        let path = "/api/accounts/\(to)/identity-move"
        try await fixture.exchange { client in
            let requested = try await fixture.send(
                client, .post, path, as: .support, body: #"{"provider":"google","providerID":"bob"}"#)
            let answer = try fixture.members(requested)
            #expect(requested.status == .ok && answer["from"] as? String == "\(from)")
            #expect(answer["needsSecondOperator"] as? Bool == true && answer["effectiveAt"] != nil)
            let again = try await fixture.send(
                client, .post, path, as: .support, body: #"{"provider":"google","providerID":"bob"}"#)
            #expect(again.status == .conflict)
            #expect(try fixture.members(again)["code"] as? String == "move_requested")
            let report = try fixture.members(try await fixture.send(client, .get, "/api/accounts/\(to)", as: .read))
            let arrival = try #require(report["arrival"] as? [String: Any])
            #expect(arrival["provider"] as? String == "google" && arrival["requestedBy"] as? String == "support-key")
            let other = try fixture.members(try await fixture.send(client, .get, "/api/accounts/\(from)", as: .read))
            #expect((other["departure"] as? [String: Any])?["link"] != nil && other["arrival"] == nil)
            let early = try await fixture.send(client, .post, "\(path)/completion", as: .admin)
            #expect(early.status == .conflict)
            #expect(try fixture.members(early)["code"] as? String == "too_early")
            service.clock.advance(by: 86_400)
            let alone = try await fixture.send(client, .post, "\(path)/completion", as: .support)
            #expect(alone.status == .forbidden)
            #expect(try fixture.members(alone)["code"] as? String == "second_operator_required")
            let done = try await fixture.send(client, .post, "\(path)/completion", as: .admin)
            #expect(done.status == .noContent)
        }
        #expect(try await service.owner(.google, "bob") == to)
        let hash = try service.components.keyRing.accountHash(of: from.uuid)
        service.clock.advance(by: -86_400)
        let recorded = try await fixture.recorded()
        #expect(recorded.contains { $0.action == "identity.move" && $0.account == hash })
    }

    @Test(
        "a body without exactly one of providerID and idToken is refused",
        arguments: [
            #"{"provider":"google"}"#, #"{"provider":"google","providerID":"bob","idToken":"x"}"#,
            #"{"providerID":"bob"}"#, #"{"provider":"google","providerID":"bob","proof":{"provider":"apple"}}"#,
        ])
    func malformed(body: String) async throws {
        let fixture = try await OperatorFixture()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        try await fixture.exchange { client in
            let answer = try await fixture.send(
                client, .post, "/api/accounts/\(user)/identity-move", as: .support, body: body)
            #expect(answer.status == .badRequest)
        }
    }
}
