import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Events from a real server to a third-party receiver.
@Suite(.serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct WebhookJourneyTests {
    private static let secrets = [
        "whsec_\(Data(repeating: 1, count: 32).base64EncodedString())",
        "whsec_\(Data(repeating: 2, count: 24).base64EncodedString())",
    ]

    @Test("after refusals and interruptions each event arrives in order, with its own id and a valid signature")
    func journey() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            // It still has the older one of two secrets.
            let listener = try await WebhookListener(secret: Self.secrets[1], in: folder)
            defer { listener.stop() }
            let settings = [
                "PHOTOLALA_WEBHOOKS_URL": listener.url,
                "PHOTOLALA_WEBHOOKS_SECRETS": Self.secrets.joined(separator: ","),
            ]
            let server = try await ServerProcess(data: data, transport: transport, variables: settings)
            let bob = Person(1, transport: transport)

            try listener.set(.refuse)
            let token = try await bob.token(at: server.address)
            let user = try #require(try await bob.signUp(at: server.address, token: token)).user.serviceUserID
            try await listener.wait { $0.contains { $0.hasPrefix("refused account.created") } }
            try await expectPending(user, data)

            try listener.set(.hang)
            let retried = try OperatorCommand.run("events", "retry", on: data)
            #expect(retried.status == 0 && retried.output.hasPrefix("Scheduled 1 account."), "\(retried.output)")
            try await listener.wait { $0.contains { $0.hasPrefix("hung account.created") } }
            server.kill()
            try listener.set(.take)
            let again = try await ServerProcess(
                data: data, transport: transport, onPortsOf: server, variables: settings)
            // It may have been sent already.
            #expect(try OperatorCommand.run("events", "retry", on: data).status == 0)
            try await listener.wait { $0.contains { $0.hasPrefix("took account.created") } }

            _ = try await bob.onDevice(2).signIn(at: again.address)
            try await listener.wait { $0.contains { $0.hasPrefix("took device.added") } }
            let words = listener.lines.map { $0.split(separator: " ").map(String.init) }
            let taken = words.filter { $0.first == "took" }
            #expect(taken.map { $0[1] } == ["account.created", "device.added"] && taken.map { $0[3] } == ["1", "2"])
            let created = Set(words.filter { $0.contains("account.created") }.map { $0[2] })
            #expect(created.count == 1, "one event has one id")
            #expect(!words.contains { $0.first == "forged" }, "\(words)")
            #expect(again.stop() == 0)
            let rest = try OperatorCommand.run("events", "list", on: data)
            #expect(rest.status == 0 && rest.output.hasPrefix("0 accounts with pending events"), "\(rest.output)")
        }
    }

    /// Waits for the refusal to be recorded, which follows the response, with the output of the command.
    private func expectPending(_ user: UserID, _ data: URL) async throws {
        var text = ""
        try await waitUntil("an event is pending", every: .milliseconds(100)) {
            let listed = try OperatorCommand.run("events", "list", "--json", on: data)
            text = listed.output
            return listed.status == 1
        }
        #expect(text.contains("\"account\":\"\(user)\"") && text.contains("\"type\":\"account.created\""), "\(text)")
        #expect(text.contains("\"reason\":\"status 500\"") && text.contains(/"tries":[1-9]/), "\(text)")
    }

    @Test("an event that the receiver always refuses is skipped by its number, and later events are sent")
    func skip() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let listener = try await WebhookListener(secret: Self.secrets[0], in: folder)
            defer { listener.stop() }
            let settings = ["PHOTOLALA_WEBHOOKS_URL": listener.url, "PHOTOLALA_WEBHOOKS_SECRETS": Self.secrets[0]]
            let server = try await ServerProcess(data: data, transport: transport, variables: settings)
            try listener.set(.refuse)
            let bob = Person(1, transport: transport)
            let token = try await bob.token(at: server.address)
            let user = try #require(try await bob.signUp(at: server.address, token: token)).user.serviceUserID
            _ = try await bob.onDevice(2).signIn(at: server.address)
            try await listener.wait { $0.contains { $0.hasPrefix("refused") } }
            let wrong = try OperatorCommand.run("events", "skip", "\(user)", "2", on: data)
            #expect(wrong.status == 69)
            let right = try OperatorCommand.run("events", "skip", "\(user)", "1", on: data)
            #expect(right.status == 0 && right.output.contains("1 account.created"), "\(right.output)")
            try await listener.wait { $0.contains { $0.hasPrefix("refused device.added") } }
            try listener.set(.take)
            #expect(try OperatorCommand.run("events", "retry", on: data).status == 0)
            try await listener.wait { $0.contains { $0.hasPrefix("took device.added") } }
            #expect(!listener.lines.contains { $0.hasPrefix("took account.created") })
            #expect(server.stop() == 0)
        }
    }
}
