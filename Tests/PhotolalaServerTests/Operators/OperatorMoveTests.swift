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
            let move = try #require(answer["move"] as? String)
            let completion = #"{"move":"\#(move)"}"#
            #expect(requested.status == .ok && answer["from"] as? String == "\(from)")
            #expect(answer["needsSecondOperator"] as? Bool == true && answer["effectiveAt"] != nil)
            let again = try await fixture.send(
                client, .post, path, as: .support, body: #"{"provider":"google","providerID":"bob"}"#)
            #expect(again.status == .conflict)
            #expect(try fixture.members(again)["code"] as? String == "move_requested")
            let report = try fixture.members(try await fixture.send(client, .get, "/api/accounts/\(to)", as: .read))
            let arrival = try #require(report["arrival"] as? [String: Any])
            #expect(arrival["provider"] as? String == "google" && arrival["requestedBy"] as? String == "support-key")
            #expect(arrival["from"] as? String == "\(from)" && arrival["move"] as? String == move)
            let other = try fixture.members(try await fixture.send(client, .get, "/api/accounts/\(from)", as: .read))
            #expect((other["departure"] as? [String: Any])?["move"] as? String == move && other["arrival"] == nil)
            let early = try await fixture.send(client, .post, "\(path)/completion", as: .admin, body: completion)
            #expect(early.status == .conflict)
            #expect(try fixture.members(early)["code"] as? String == "too_early")
            service.clock.advance(by: 86_400)
            let alone = try await fixture.send(client, .post, "\(path)/completion", as: .support, body: completion)
            #expect(alone.status == .forbidden)
            #expect(try fixture.members(alone)["code"] as? String == "second_operator_required")
            let unknown = #"{"move":"00000000-0000-4000-8000-000000000000"}"#
            let wrong = try await fixture.send(client, .post, "\(path)/completion", as: .admin, body: unknown)
            #expect(try fixture.members(wrong)["code"] as? String == "no_move_requested")
            let done = try await fixture.send(client, .post, "\(path)/completion", as: .admin, body: completion)
            #expect(done.status == .noContent)
        }
        #expect(try await service.owner(.google, "bob") == to)
        let hash = try service.components.keyRing.accountHash(of: from.uuid)
        service.clock.advance(by: -86_400)
        let recorded = try await fixture.recorded()
        #expect(recorded.contains { $0.action == "identity.move" && $0.account == hash })
    }

    @Test("tokens with the challenge of the account prove a move, and another nonce is refused")
    func proven() async throws {
        let fixture = try await OperatorFixture()
        let service = fixture.service
        let bob = try await service.signUp(.google, "bob", device: 1)
        _ = try await service.link(.facebook, "bob", in: bob.session)
        let to = try await service.signUp(.apple, "bob", device: 2).user.serviceUserID
        service.clock.advance(by: 86_400)
        let path = "/api/accounts/\(to)/identity-move"
        try await fixture.exchange { client in
            let made = try fixture.members(try await fixture.send(client, .post, "\(path)/challenge", as: .support))
            let challenge = try #require(made["challenge"] as? String)
            func body(_ nonce: String) throws -> String {
                let moving = try service.token(.google, "bob", nonce: nonce)
                let own = try service.token(.apple, "bob", nonce: nonce)
                return #"{"provider":"google","idToken":"\#(moving)","challenge":"\#(challenge)","#
                    + #""proof":{"provider":"apple","idToken":"\#(own)"}}"#
            }
            let refused = try await fixture.send(client, .post, path, as: .support, body: try body("other"))
            #expect(refused.status == .badRequest)
            #expect(try fixture.members(refused)["code"] as? String == "invalid_challenge")
            let answer = try await fixture.send(client, .post, path, as: .support, body: try body(challenge))
            #expect(try fixture.members(answer)["needsSecondOperator"] as? Bool == false)
        }
    }

    @Test(
        "a body with neither providerID nor a whole proof is refused",
        arguments: [
            #"{"provider":"google"}"#, #"{"provider":"google","providerID":"bob","idToken":"x"}"#,
            #"{"providerID":"bob"}"#, #"{"provider":"google","idToken":"x","challenge":"y"}"#,
            #"{"provider":"google","providerID":"bob","proof":{"provider":"apple"}}"#,
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
