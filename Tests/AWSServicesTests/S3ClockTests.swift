import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets
import Testing

struct S3ClockTests {
    private let local = Date(timeIntervalSince1970: 1_440_938_160)

    private func store(
        _ replies: [FakeTransport.Reply], follows: Bool, waits: RecordedWaits = RecordedWaits(),
        slow: RecordedWaits = RecordedWaits()
    )
        throws -> (S3ObjectStore, FakeTransport)
    {
        let transport = FakeTransport(replies)
        var settings = try #require(S3Settings(endpoint: "http://127.0.0.1:9000", region: "r", bucket: "photolala-dev"))
        (settings.attempts, settings.followsServiceClock) = (3, follows)
        let local = local
        let store = S3ObjectStore(
            settings: settings,
            credentials: StaticCredentials(AWSCredentials(accessKeyID: "A", secretAccessKey: "s")),
            transport: transport,
            pause: Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }) { waits.add($0) },
            now: { local }, onSlowDown: { slow.add(.zero) }
        )
        return (store, transport)
    }

    private func times(_ transport: FakeTransport) throws -> [String] {
        let name = try #require(HTTPField.Name("x-amz-date"))
        return transport.requests.map { $0.headers[name] ?? "" }
    }

    private func skewed(_ date: String) -> FakeTransport.Reply { .error(403, "RequestTimeTooSkewed", ["Date": date]) }

    @Test("a device whose clock is off by a day signs with the service's time afterwards")
    func day() async throws {
        let (store, transport) = try store(
            [skewed("Mon, 31 Aug 2015 12:36:00 GMT"), .stored, .stored], follows: true)
        try await store.put(ObjectKey(known: "a"), ByteBuffer(string: "x"), if: .always)
        try await store.put(ObjectKey(known: "b"), ByteBuffer(string: "x"), if: .always)
        #expect(try times(transport) == ["20150830T123600Z", "20150831T123600Z", "20150831T123600Z"])
    }

    @Test("a clock correction without effect is not repeated, and a server's clock is never corrected")
    func limits() async throws {
        let same = skewed("Mon, 31 Aug 2015 12:36:00 GMT")
        let (stubborn, transport) = try store([same, same, same, same], follows: true)
        await #expect(throws: ObjectStoreError.denied("RequestTimeTooSkewed (HTTP 403)")) {
            try await stubborn.put(ObjectKey(known: "a"), ByteBuffer(string: "x"), if: .always)
        }
        #expect(transport.requests.count == 2)
        let (server, once) = try store([same, .stored], follows: false)
        await #expect(throws: ObjectStoreError.denied("RequestTimeTooSkewed (HTTP 403)")) {
            try await server.put(ObjectKey(known: "a"), ByteBuffer(string: "x"), if: .always)
        }
        #expect(once.requests.count == 1)
    }

    @Test("Retry-After is respected up to a limit, and reported")
    func retryAfter() async throws {
        let (waits, slow) = (RecordedWaits(), RecordedWaits())
        let replies: [FakeTransport.Reply] = [
            .error(503, "SlowDown", ["Retry-After": "7"]), .error(503, "SlowDown", ["Retry-After": "99999999"]),
            .stored,
        ]
        let (store, _) = try store(replies, follows: true, waits: waits, slow: slow)
        try await store.put(ObjectKey(known: "a"), ByteBuffer(string: "x"), if: .always)
        #expect(waits.durations == [.seconds(7), .seconds(60)])
        #expect(slow.count == 2)
    }

    @Test(
        "a deletion is never signed at or after its deadline, and not repeated if it may have been performed"
    )
    func deadline() async throws {
        let key = ObjectKey(known: "a")
        let (late, unasked) = try store([.response(204)], follows: true)
        await #expect(throws: ObjectStoreError.unavailable("deadline exceeded")) {
            try await late.delete(key, before: local)
        }
        #expect(unasked.requests.isEmpty)
        let (store, transport) = try store([.error(503, "SlowDown", [:]), .response(204)], follows: true)
        try await store.delete(key, before: local + 1)
        #expect(transport.requests.map(\.method) == ["DELETE", "DELETE"])
        let (lost, once) = try self.store([.lost, .response(204)], follows: true)
        await #expect(throws: ObjectStoreError.outcomeUnknown("reset")) {
            try await lost.delete(key, before: local + 1)
        }
        #expect(once.requests.count == 1)
        // The service's clock is a day ahead: signed with its time, the deletion would be too late.
        let (wrong, refused) = try self.store(
            [skewed("Mon, 31 Aug 2015 12:36:00 GMT"), .response(204)], follows: true)
        await #expect(throws: ObjectStoreError.unavailable("deadline exceeded")) {
            try await wrong.delete(key, before: local + 1200)
        }
        #expect(refused.requests.count == 1)
    }
}
