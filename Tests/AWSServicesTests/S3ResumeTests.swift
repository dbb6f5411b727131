import AWSServices
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets
import Synchronization
import Testing

/// The part size is 8 bytes.
struct S3ResumeTests {
    private typealias Reply = FakeTransport.Reply

    /// Records uploads in memory.
    private final class InMemoryUnfinishedUploads: UnfinishedUploads {
        let all = Mutex<[ObjectKey: String]>([:])
        let noted = Mutex(0)

        func uploadID(to key: ObjectKey) async -> String? { all.withLock { $0[key] } }
        func record(_ upload: String, to key: ObjectKey) async {
            all.withLock { $0[key] = upload }
            noted.withLock { $0 += 1 }
        }
        func remove(_ key: ObjectKey) async { all.withLock { $0[key] = nil } }
    }

    private static let text = "01234567890123456789"
    private static let begun = Reply.response(
        200, [:], "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>"
    )
    private static let completed = Reply.response(
        200, [:], "<CompleteMultipartUploadResult><ETag>&quot;whole-3&quot;</ETag></CompleteMultipartUploadResult>"
    )

    private static func md5(_ text: Substring) -> String { Hex.encode(Insecure.MD5.hash(data: Data(text.utf8))) }

    private static func listed(_ parts: [(Int, Substring)], truncated: Bool = false) -> Reply {
        let parts = parts.map {
            "<Part><PartNumber>\($0.0)</PartNumber><ETag>&quot;\(md5($0.1))&quot;</ETag>"
                + "<Size>\($0.1.utf8.count)</Size></Part>"
        }
        let marker = truncated ? "<NextPartNumberMarker>1</NextPartNumberMarker>" : ""
        return .response(
            200, [:],
            "<ListPartsResult>\(marker)<IsTruncated>\(truncated)</IsTruncated>\(parts.joined())</ListPartsResult>"
        )
    }

    private func part(_ tag: String) -> Reply { .response(200, ["ETag": "\"\(tag)\""]) }

    private func write(
        _ replies: [Reply], _ notes: InMemoryUnfinishedUploads, if condition: PutCondition = .always
    ) async throws -> (outcome: Result<ObjectInfo, ObjectStoreError>, events: [String]) {
        let transport = FakeTransport(replies)
        var settings = try #require(S3Settings(endpoint: "http://127.0.0.1:9000", region: "r", bucket: "photolala-dev"))
        (settings.attempts, settings.partSize) = (1, 8)
        let keys = StaticCredentials(AWSCredentials(accessKeyID: "A", secretAccessKey: "s"))
        let pause = Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }) { _ in }
        let store = S3ObjectStore(
            settings: settings, credentials: keys, transport: transport, pause: pause,
            now: { Date(timeIntervalSince1970: 1_440_938_160) }, unfinished: notes
        )
        let digest = Data(Insecure.MD5.hash(data: Data(Self.text.utf8))).base64EncodedString()
        let outcome: Result<ObjectInfo, ObjectStoreError>
        do throws(ObjectStoreError) {
            outcome = .success(
                try await store.write(
                    ObjectKey(known: "a"), ObjectBody(ByteBuffer(string: Self.text)),
                    attributes: ["content-md5": digest], if: condition))
        } catch {
            outcome = .failure(error)
        }
        return (outcome, transport.requests.map { "\($0.method) \($0.url.split(separator: "?").last ?? "")" })
    }

    @Test("an interrupted upload is resumed, and existing parts are not sent again")
    func resume() async throws {
        let notes = InMemoryUnfinishedUploads()
        let broken = try await write([Self.begun, part(Self.md5("01234567")), .lost], notes)
        #expect(throws: ObjectStoreError.unavailable("reset")) { try broken.outcome.get() }
        #expect(broken.events.count == 3, "the upload is not aborted")
        let replies = [Self.listed([(1, "01234567")]), part("2"), part("3"), Self.completed]
        let (outcome, events) = try await write(replies, notes)
        #expect(notes.noted.withLock { $0 } == 2, "the upload's progress is recorded")
        #expect(try outcome.get().etag == ETag("whole-3"))
        #expect(
            events == [
                "GET part-number-marker=0&uploadId=u1", "PUT partNumber=2&uploadId=u1", "PUT partNumber=3&uploadId=u1",
                "POST uploadId=u1",
            ])
        #expect(notes.all.withLock { $0.isEmpty })
    }

    @Test("a part with other bytes or another length is sent again")
    func otherBytes() async throws {
        let notes = InMemoryUnfinishedUploads()
        await notes.record("u1", to: ObjectKey(known: "a"))
        let replies = [
            Self.listed([(1, "01234567")], truncated: true), Self.listed([(2, "xxxxxxxx"), (3, "678")]), part("2"),
            part("3"), Self.completed,
        ]
        let (outcome, events) = try await write(replies, notes)
        #expect(throws: Never.self) { try outcome.get() }
        #expect(events.count == 5 && events[1] == "GET part-number-marker=1&uploadId=u1")
        #expect(events[2...3] == ["PUT partNumber=2&uploadId=u1", "PUT partNumber=3&uploadId=u1"])
    }

    @Test("an upload that is missing or forbidden is started again", arguments: [404, 403])
    func gone(status: Int) async throws {
        let notes = InMemoryUnfinishedUploads()
        await notes.record("old", to: ObjectKey(known: "a"))
        let replies = [.error(status, "NoSuchUpload"), Self.begun, part("1"), part("2"), part("3"), Self.completed]
        let (outcome, events) = try await write(replies, notes)
        #expect(throws: Never.self) { try outcome.get() }
        #expect(events[1] == "POST uploads=")
    }

    @Test(
        "an upload that another process completed or aborted is started again by the next attempt",
        arguments: [
            ([.error(404, "NoSuchUpload")], 2), ([.stored, .error(404, "NoSuchUpload")], 3),
            ([.stored, .stored, .stored, .error(404, "NoSuchUpload")], 5),
            ([.stored, .stored, .stored, .error(400, "InvalidPart")], 5),
            ([.stored, .stored, .stored, .error(200, "NoSuchUpload")], 5),
        ] as [([FakeTransport.Reply], Int)]
    )
    func lost(replies: [FakeTransport.Reply], requests: Int) async throws {
        let notes = InMemoryUnfinishedUploads()
        await notes.record("u1", to: ObjectKey(known: "a"))
        let (outcome, events) = try await write([Self.listed([])] + replies, notes)
        guard case .failure(.unavailable) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(events.count == requests, "another process may still use the upload: it is not aborted")
        #expect(notes.all.withLock { $0.isEmpty })
        let again = try await write([Self.begun, part("1"), part("2"), part("3"), Self.completed], notes)
        #expect(throws: Never.self) { try again.outcome.get() }
        #expect(again.events[0] == "POST uploads=")
    }

    @Test("an upload that cannot succeed is aborted, and a conditional one is never recorded")
    func givenUp() async throws {
        let notes = InMemoryUnfinishedUploads()
        let denied = try await write([Self.begun, .error(403, "AccessDenied"), .response(204)], notes)
        #expect(denied.events.last == "DELETE uploadId=u1")
        #expect(notes.all.withLock { $0.isEmpty })
        let conditional = try await write([Self.begun, .lost, .response(204)], notes, if: .absent)
        #expect(conditional.events.last == "DELETE uploadId=u1")
        #expect(notes.all.withLock { $0.isEmpty })
    }
}
