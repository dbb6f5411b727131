import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Synchronization
import Testing

struct CredentialTests {
    /// Issues numbered credentials valid for an hour, with a clock that a test sets.
    final class Issuer: Sendable {
        let seconds = Mutex(0.0)
        let issued = Mutex(0)
        let failure = Mutex<CredentialError?>(nil)

        var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

        func source() -> RenewingCredentials {
            RenewingCredentials(now: { self.now }) { () async throws(CredentialError) in
                if let failure = self.failure.withLock({ $0 }) { throw failure }
                let number = self.issued.withLock {
                    $0 += 1; return $0
                }
                await Task.yield()
                let keys = AWSCredentials(accessKeyID: "KEY\(number)", secretAccessKey: "s", sessionToken: "t")
                return ExpiringCredentials(keys, expiresAt: self.now + 3600)
            }
        }
    }

    @Test("credentials are fetched once and renewed five minutes before they expire")
    func renewal() async throws {
        let issuer = Issuer()
        let source = issuer.source()
        var ids: [String] = []
        for moment in [0.0, 1000, 3299, 3300, 3301, 6599] {
            issuer.seconds.withLock { $0 = moment }
            ids.append(try await source.credentials().accessKeyID)
        }
        #expect(ids == ["KEY1", "KEY1", "KEY1", "KEY2", "KEY2", "KEY2"])
    }

    @Test("concurrent callers share one renewal")
    func singleFlight() async throws {
        let issuer = Issuer()
        let source = issuer.source()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await source.credentials() } }
            try await group.waitForAll()
        }
        #expect(issuer.issued.withLock { $0 } == 1)
    }

    @Test("valid credentials are used while the source is unreachable, but not after the session has ended")
    func unreachable() async throws {
        let issuer = Issuer()
        let source = issuer.source()
        _ = try await source.credentials()
        issuer.failure.withLock { $0 = .unavailable("down") }
        issuer.seconds.withLock { $0 = 3500 }
        #expect(try await source.credentials().accessKeyID == "KEY1")
        issuer.seconds.withLock { $0 = 3600 }
        await #expect(throws: CredentialError.unavailable("down")) { try await source.credentials() }
        issuer.failure.withLock { $0 = .refused("signed out") }
        issuer.seconds.withLock { $0 = 3520 }
        await #expect(throws: CredentialError.refused("signed out")) { try await source.credentials() }
    }

    @Test("valid credentials are used during a slow renewal, and for ten seconds after it failed")
    func slowRenewal() async throws {
        let attempts = Mutex(0)
        let isAnswered = Mutex(true)
        let seconds = Mutex(0.0)
        let source = RenewingCredentials(now: { Date(timeIntervalSince1970: seconds.withLock { $0 }) }) {
            () async throws(CredentialError) in
            let attempt = attempts.withLock {
                $0 += 1
                return $0
            }
            while !isAnswered.withLock({ $0 }) { await Task.yield() }
            guard attempt == 1 else { throw .unavailable("slow") }
            let keys = AWSCredentials(accessKeyID: "KEY", secretAccessKey: "s", sessionToken: "t")
            return ExpiringCredentials(keys, expiresAt: Date(timeIntervalSince1970: 3600))
        }
        _ = try await source.credentials()
        seconds.withLock { $0 = 3400 }
        isAnswered.withLock { $0 = false }
        async let first = source.credentials()
        while attempts.withLock({ $0 }) < 2 { await Task.yield() }
        #expect(try await source.credentials().accessKeyID == "KEY")
        isAnswered.withLock { $0 = true }
        #expect(try await first.accessKeyID == "KEY")
        _ = try await source.credentials()
        #expect(attempts.withLock { $0 } == 2)
        seconds.withLock { $0 = 3411 }
        _ = try await source.credentials()
        #expect(attempts.withLock { $0 } == 3)
    }

    @Test("a response body has a minimum rate for S3 and a total deadline for credentials")
    func deadlines() async throws {
        let fixture = try ScriptedStore([.response(404, [:], "")])
        _ = try? await fixture.store.get(try key("a"))
        #expect(fixture.transport.requests.first?.answerDeadline == .minimumRate(bytesPerSecond: 4096))
        let transport = FakeTransport([.response(404, [:], "")])
        _ = try? await InstanceCredentials(transport: transport).fetch()
        #expect(transport.requests.first?.answerDeadline == .total)
    }

    @Test("credentials rejected by the store are replaced once and the request is repeated", arguments: [400, 403])
    func refusedKeys(status: Int) async throws {
        let issuer = Issuer()
        let source = issuer.source()
        _ = try await source.credentials()
        issuer.seconds.withLock { $0 = 100 }
        let refusal = FakeTransport.Reply.error(status, status == 400 ? "ExpiredToken" : "InvalidAccessKeyId")
        let fixture = try ScriptedStore([refusal, .stored], credentials: source)
        try await fixture.store.put(try key("a"), ByteBuffer(string: "x"), if: .absent)
        let keys = fixture.transport.requests.compactMap { $0.headers[.authorization]?.dropFirst(28).prefix(4) }
        #expect(keys == ["KEY1", "KEY2"])
    }

    @Test("a missing key reported as 403 does not trigger a renewal of credentials")
    func missingIsNoRefusal() async throws {
        let issuer = Issuer()
        let source = issuer.source()
        let replies: [FakeTransport.Reply] = [
            .response(403), .page([]), .response(403), .page([]), .response(403), .page([]),
        ]
        let fixture = try ScriptedStore(replies, credentials: source)
        for moment in [0.0, 100, 200] {
            issuer.seconds.withLock { $0 = moment }
            #expect(try await fixture.store.head(try key("a")) == nil)
        }
        #expect(issuer.issued.withLock { $0 } == 1)
        #expect(fixture.transport.requests.count == 6)
    }

    @Test("after a HEAD without a reason, a listing detects expired credentials and HEAD is repeated")
    func endedAtHead() async throws {
        let issuer = Issuer()
        let source = issuer.source()
        _ = try await source.credentials()
        issuer.seconds.withLock { $0 = 100 }
        let found = FakeTransport.Reply.response(
            200, ["ETag": "\"e\"", "Content-Length": "12", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"])
        let replies: [FakeTransport.Reply] = [.response(403), .error(403, "InvalidAccessKeyId"), .page(["a"]), found]
        let fixture = try ScriptedStore(replies, credentials: source)
        #expect(try await fixture.store.head(try key("a"))?.size == 12)
        let keys = fixture.transport.requests.compactMap { $0.headers[.authorization]?.dropFirst(28).prefix(4) }
        #expect(keys == ["KEY1", "KEY1", "KEY2", "KEY2"])
        let forbidden = try ScriptedStore([.response(403), .page(["a"]), .response(403)])
        await #expect(throws: ObjectStoreError.denied("HTTP 403")) { try await forbidden.store.head(try key("a")) }
        let away = try ScriptedStore([.response(403), .lost, .lost, .lost])
        await #expect(throws: ObjectStoreError.unavailable("reset")) { try await away.store.head(try key("a")) }
    }

    @Test("new credentials that are rejected are not replaced again")
    func freshKeysRefused() async throws {
        let issuer = Issuer()
        let refusal = FakeTransport.Reply.error(403, "InvalidAccessKeyId")
        let fixture = try ScriptedStore([refusal, refusal, refusal], credentials: issuer.source())
        await #expect(throws: ObjectStoreError.denied("InvalidAccessKeyId (HTTP 403)")) {
            try await fixture.store.get(try key("a"))
        }
        #expect(issuer.issued.withLock { $0 } == 1)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test("without credentials no request is sent")
    func noKeys() async throws {
        let issuer = Issuer()
        issuer.failure.withLock { $0 = .refused("session ended") }
        let fixture = try ScriptedStore([.stored], credentials: issuer.source())
        await #expect(throws: ObjectStoreError.denied("session ended")) { try await fixture.store.get(try key("a")) }
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test(
        "invalid settings are rejected",
        arguments: [
            ("ftp://x", "photolala"), ("http://", "photolala"), ("x", "photolala"), ("http://h?q", "photolala"),
            ("http://user:secret@h", "photolala"), ("http://h", "UPPER"), ("http://h", "a"), ("http://h", "a..b"),
            ("http://h", "-ab"), ("http://h", "a/b"),
        ]
    )
    func settings(endpoint: String, bucket: String) {
        #expect(S3Settings(endpoint: endpoint, region: "us-east-1", bucket: bucket) == nil)
    }
}
