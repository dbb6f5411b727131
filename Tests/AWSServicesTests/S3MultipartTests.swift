import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import Synchronization
import Testing

/// The part size is 8 bytes.
struct S3MultipartTests {
    private typealias Reply = FakeTransport.Reply

    private static let begun = Reply.response(
        200, [:], "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>"
    )
    private static let completed = Reply.response(
        200, ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
        "<CompleteMultipartUploadResult><ETag>&quot;whole-3&quot;</ETag></CompleteMultipartUploadResult>"
    )
    private static let aborted = Reply.response(204)

    private func part(_ tag: String) -> Reply { .response(200, ["ETag": "\"\(tag)\""]) }

    private func body(_ chunks: [String], size: Int64 = 20, failing: (any Error)? = nil) -> ObjectBody {
        ObjectBody(
            size: size,
            chunks: AsyncThrowingStream { continuation in
                for chunk in chunks { continuation.yield(ByteBuffer(string: chunk)) }
                continuation.finish(throwing: failing)
            }
        )
    }

    private func write(
        _ body: ObjectBody, _ replies: [Reply], if condition: PutCondition = .always,
        attributes: ObjectAttributes = [:]
    ) async throws -> (outcome: Result<ObjectInfo, ObjectStoreError>, seen: [FakeTransport.RecordedRequest]) {
        let fixture = try ScriptedStore(replies)
        let key = try key("a")
        do {
            let info = try await fixture.store.write(key, body, attributes: attributes, if: condition)
            return (.success(info), fixture.transport.requests)
        } catch {
            return (.failure(error), fixture.transport.requests)
        }
    }

    private func events(_ seen: [FakeTransport.RecordedRequest]) -> [String] {
        seen.map { "\($0.method) \($0.url.split(separator: "?").last ?? "")" }
    }

    @Test("a long body is uploaded in parts regardless of its chunks, with the condition on the completion")
    func parts() async throws {
        let chunks = ["01234", "", "567890123456", "789"]
        let replies = [Self.begun, part("1"), part("2"), part("3"), Self.completed]
        let attributes = ["content-type": "video/mp4"]
        let (outcome, seen) = try await write(
            body(chunks), replies, if: .absent, attributes: attributes)
        let info = try outcome.get()
        #expect(info.etag == ETag("whole-3") && info.size == 20)
        #expect(
            events(seen) == [
                "POST uploads=", "PUT partNumber=1&uploadId=u%2F1", "PUT partNumber=2&uploadId=u%2F1",
                "PUT partNumber=3&uploadId=u%2F1", "POST uploadId=u%2F1",
            ])
        #expect(seen[1...3].map { $0.body ?? "" } == ["01234567", "89012345", "6789"])
        #expect(seen[0].headers[.contentType] == attributes["content-type"])
        #expect(seen[0].headers[.ifNoneMatch] == nil && seen[4].headers[.ifNoneMatch] == "*")
        #expect(seen[4].body?.contains("<PartNumber>3</PartNumber><ETag>\"3\"</ETag>") == true)
    }

    @Test("parts are retried, and the completion only if it was certainly not performed")
    func repeated() async throws {
        let replies = [
            Self.begun, .lost, part("1"), .response(500), part("2"), part("3"), .error(503, "SlowDown"), Self.completed,
        ]
        let (outcome, seen) = try await write(body(["01234567890123456789"]), replies)
        #expect(throws: Never.self) { try outcome.get() }
        #expect(seen.count == 8)
    }

    @Test(
        "a failed completion is reported with its cause, and the parts are deleted",
        arguments: [
            (.lost, .outcomeUnknown("reset")), (.response(500), .outcomeUnknown("HTTP 500")),
            (.error(412, "PreconditionFailed"), .preconditionFailed),
            (.error(409, "ConditionalRequestConflict"), .conflict),
            (.error(404, "NoSuchUpload"), .unavailable("NoSuchUpload (HTTP 404)")),
            (.error(200, "PreconditionFailed"), .preconditionFailed),
            (.error(200, "InternalError"), .outcomeUnknown("InternalError (HTTP 500)")),
            (.response(200, [:], "cut"), .outcomeUnknown("HTTP 500")),
        ] as [(FakeTransport.Reply, ObjectStoreError)]
    )
    func failedEnd(reply: FakeTransport.Reply, error: ObjectStoreError) async throws {
        let replies = [Self.begun, part("1"), part("2"), part("3"), reply, Self.aborted]
        let (outcome, seen) = try await write(body(["01234567890123456789"]), replies, if: .matches(ETag("old")))
        #expect(throws: error) { try outcome.get() }
        #expect(events(seen).last == "DELETE uploadId=u%2F1")
        #expect(seen.count == 6)
    }

    @Test("a body that fails or has another length than declared leaves no upload behind")
    func failedBody() async throws {
        let cases: [(ObjectBody, ObjectStoreError)] = [
            (body(["01234567", "8"]), .bodyFailed("body shorter than declared")),
            (body(["01234567", "890123456789x"]), .bodyFailed("body longer than declared")),
            (body(["01234567", "8"], failing: ObjectStoreError.digestMismatch), .digestMismatch),
        ]
        for (body, error) in cases {
            let (outcome, seen) = try await write(body, [Self.begun, part("1"), Self.aborted, Self.aborted])
            #expect(throws: error) { try outcome.get() }
            #expect(events(seen).last == "DELETE uploadId=u%2F1")
            #expect(!events(seen).contains("POST uploadId=u%2F1"))
        }
    }

    @Test("the body is read only up to the part being sent")
    func boundedMemory() async throws {
        let taken = Mutex(0)
        let chunks = AsyncThrowingStream<ByteBuffer, any Error>(unfolding: {
            taken.withLock { $0 += 1 }
            return ByteBuffer(string: "0123")
        })
        let body = ObjectBody(size: 4_000_000, chunks: chunks)
        let denied = Reply.error(403, "AccessDenied")
        let (outcome, _) = try await write(body, [Self.begun, part("1"), part("2"), denied, Self.aborted])
        #expect(throws: ObjectStoreError.denied("AccessDenied (HTTP 403)")) { try outcome.get() }
        // 400 bytes per part, because there are at most 10,000 parts.
        #expect(taken.withLock { $0 } == 300)
    }

    @Test("a declared digest of the object is checked before the completion")
    func wholeDigest() async throws {
        let replies = [Self.begun, part("1"), part("2"), part("3"), Self.aborted]
        let (outcome, seen) = try await write(
            body(["01234567890123456789"]), replies, attributes: ["content-md5": "AAAAAAAAAAAAAAAAAAAAAA=="])
        #expect(throws: ObjectStoreError.digestMismatch) { try outcome.get() }
        #expect(seen[0].headers[try #require(HTTPField.Name("content-md5"))] == nil)
        #expect(events(seen).last == "DELETE uploadId=u%2F1")
    }
}
