import Foundation
import HTTPListener
import HTTPTypes
import HummingbirdTesting
import Operators
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Who may call the operator API, and what is recorded.
@Suite struct OperatorAccessTests {
    private static let user = "00000000-0000-4000-8000-000000000001"
    private static let link = "0123456789abcdef0123456789abcdef"

    /// Every route, on an account that does not exist.
    static let calls: [OperatorFixture.Call] = [
        .init(
            method: .post, path: "/api/auth/lookup", action: .findIdentity,
            body: #"{"provider":"apple","providerID":"eve"}"#),
        .init(method: .get, path: "/api/accounts", action: .listAccounts),
        .init(method: .get, path: "/api/accounts/\(user)", action: .showAccount),
        .init(method: .get, path: "/api/accounts/\(user)/history", action: .showHistory),
        .init(method: .get, path: "/api/accounts/\(user)/subscriptions", action: .showSubscriptions),
        .init(method: .delete, path: "/api/accounts/\(user)/sessions", action: .endSessions),
        .init(method: .put, path: "/api/accounts/\(user)/disabled", action: .disableAccount),
        .init(method: .delete, path: "/api/accounts/\(user)/disabled", action: .enableAccount),
        .init(method: .post, path: "/api/accounts/\(user)/usage-count", action: .countUsage),
        .init(
            method: .post, path: "/api/accounts/\(user)/identity-move", action: .requestMove,
            body: #"{"provider":"apple","providerID":"eve"}"#),
        .init(
            method: .post, path: "/api/accounts/\(user)/identity-move/challenge", action: .challengeMove),
        .init(
            method: .post, path: "/api/accounts/\(user)/identity-move/completion", action: .completeMove,
            body: #"{"move":"\#(user)"}"#),
        .init(method: .delete, path: "/api/accounts/\(user)/identity-move", action: .cancelMove),
        .init(method: .put, path: "/api/accounts/\(user)/deletion", action: .scheduleDeletion),
        .init(method: .delete, path: "/api/accounts/\(user)/deletion", action: .cancelDeletion),
        .init(method: .put, path: "/api/accounts/\(user)/hold", action: .placeHold),
        .init(method: .delete, path: "/api/accounts/\(user)/hold", action: .releaseHold),
        .init(method: .post, path: "/api/accounts/\(user)/export", action: .exportAccount),
        .init(method: .get, path: "/api/accounts/\(user)/shared-links", action: .listSharedLinks),
        .init(
            method: .post, path: "/api/shared-links/lookup", action: .findSharedLink, body: #"{"address":"x"}"#),
        .init(
            method: .put, path: "/api/accounts/\(user)/shared-links/\(link)/disabled", action: .disableSharedLink),
        .init(
            method: .delete, path: "/api/accounts/\(user)/shared-links/\(link)/disabled",
            action: .enableSharedLink),
        .init(method: .get, path: "/api/jobs", action: .listJobs),
        .init(method: .post, path: "/api/jobs/usage/runs", action: .startJob),
        .init(method: .get, path: "/api/operator-log?day=2026-01-01", action: .readLog),
    ]

    @Test("the list has every action")
    func complete() {
        #expect(Set(Self.calls.map(\.action)) == Set(OperatorAction.allCases).subtracting([.openConsole]))
    }

    @Test("a call needs a valid key, a sufficient role and a reason, and is recorded only then", arguments: calls)
    func access(_ call: OperatorFixture.Call) async throws {
        let fixture = try await OperatorFixture()
        try await fixture.exchange { client in
            let anonymous = try await fixture.send(client, call.method, call.path, as: nil, body: call.body)
            #expect(anonymous.status == .unauthorized && anonymous.headers[.wwwAuthenticate] == "Bearer")
            #expect(anonymous.headers[.contentType] == "application/problem+json")
            let id = HTTPField.Name("X-Request-ID").flatMap { anonymous.headers[$0] }
            #expect(try fixture.members(anonymous)["requestID"] as? String == id && id != nil)
            for role in OperatorRole.allCases {
                let silent = try await fixture.send(
                    client, call.method, call.path, as: role, reason: nil, body: call.body)
                let answer = try await fixture.send(client, call.method, call.path, as: role, body: call.body)
                if role < call.action.role {
                    #expect(silent.status == .forbidden && answer.status == .forbidden)
                    #expect(try fixture.members(answer)["code"] as? String == "role_required")
                } else {
                    #expect(silent.status == .badRequest)
                    #expect(try fixture.members(silent)["code"] as? String == "reason_required")
                    #expect([.ok, .accepted, .notFound].contains(answer.status), "\(answer.status)")
                }
            }
        }
        let permitted = OperatorRole.allCases.filter { $0 >= call.action.role }.map { "\($0.rawValue)-key" }
        let recorded = try await fixture.recorded()
        // Calls of one millisecond have no order.
        #expect(Set(recorded.map(\.operatorName)) == Set(permitted) && recorded.count == permitted.count)
        #expect(recorded.allSatisfy { $0.action == call.action.rawValue && $0.reason == "ticket-1" })
        // The log does not name the account, and equal accounts have equal hashes.
        #expect(Set(recorded.map(\.account)).count == 1)
        #expect((recorded.first?.account != nil) == call.path.contains(Self.user))
        #expect(recorded.allSatisfy { $0.account?.contains("-") != true })
    }

    @Test(
        "a malformed, altered, unknown or ended key is refused",
        arguments: [
            "", "Bearer", "Bearer plo_", "Basic cmVhZA==", "Bearer plo_0000000000000000_AAAA", "other", "ended",
        ])
    func invalidKeys(_ kind: String) async throws {
        let fixture = try await OperatorFixture()
        let key = try #require(fixture.keys[.admin])
        let id = String(key.dropFirst(4).prefix(16))
        var field = kind
        if kind == "other" {
            let other = try #require(fixture.keys[.read])
            field = "Bearer plo_\(id)_\(other.dropFirst(21))"
        }
        if kind == "ended" {
            _ = try await fixture.service.services.operators.calls.keys.end(id, at: fixture.service.clock.now)
            field = "Bearer \(key)"
        }
        try await fixture.exchange { [field] client in
            let answer = try await fixture.send(
                client, .get, "/api/jobs", as: nil, headers: field.isEmpty ? [:] : [.authorization: field])
            #expect(answer.status == .unauthorized)
        }
        #expect(try await fixture.recorded().isEmpty)
    }

    @Test("IP addresses, localhost and named hosts are served, and no others")
    func hosts() {
        let hosts = AllowedHosts.addresses(and: ["Ops.example.com"])
        for host in ["127.0.0.1:9464", "[::1]:9464", "192.0.2.7", "localhost", "ops.example.com:9464"] {
            #expect(hosts.contains(host), "\(host)")
        }
        for host in ["evil.example", "evil.example:9464", "ops.example.com.evil.example", "127.0.0.1.evil.example", ""]
        {
            #expect(!hosts.contains(host), "\(host)")
        }
    }

    @Test("a key is stored as a hash, and a rotated one ends after the overlap")
    func rotation() async throws {
        let fixture = try await OperatorFixture()
        let keys = fixture.service.services.operators.calls.keys
        let old = try #require(OperatorSecret(fixture.keys[.support] ?? ""))
        let oldID = try #require(try await keys.authenticate(old)).id
        let stored = try await fixture.service.store.list(prefix: "service/operators/", after: nil, limit: 10)
        #expect(stored.objects.count == 3)
        for object in stored.objects {
            let text = String(buffer: try #require(try await fixture.service.store.get(object.key)).bytes)
            for key in fixture.keys.values { #expect(!text.contains(key.dropFirst(21))) }
        }
        let made = try await keys.rotate(oldID, overlap: 3600, endsAt: nil)
        #expect(made.key.role == .support && made.key.name == "support-key")
        #expect(try await keys.authenticate(old) != nil)
        fixture.service.clock.advance(by: 3600)
        #expect(try await keys.authenticate(old) == nil)
        #expect(try await keys.authenticate(made.secret)?.id == made.key.id)
        await #expect(throws: OperatorError.self) { _ = try await keys.rotate(oldID, overlap: 0, endsAt: nil) }
    }

    @Test("calls leave the log after 400 days, and those of later days stay")
    func retention() async throws {
        let fixture = try await OperatorFixture()
        let calls = fixture.service.services.operators.calls
        let key = try #require(try await calls.keys.all().first)
        try await calls.begin(.listJobs, by: key, on: nil, reason: "first")
        let day = OperatorLog.day(of: fixture.service.clock.now)
        fixture.service.clock.advance(by: 86_400)
        try await calls.begin(.listJobs, by: key, on: nil, reason: "second")
        fixture.service.clock.advance(by: 400 * 86_400)
        try await fixture.service.services.housekeeping.removeExpiredOperatorCalls()
        #expect(try await calls.log.calls(on: day, after: nil, limit: 10).calls.isEmpty)
        let next = OperatorLog.day(of: fixture.service.clock.now.addingTimeInterval(-400 * 86_400))
        #expect(try await calls.log.calls(on: next, after: nil, limit: 10).calls.map(\.reason) == ["second"])
    }
}
