import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import Testing

struct S3WriteTests {
    private let bytes = ByteBuffer(string: "hello")

    private func streamed(_ parts: [String], size: Int64, failing: (any Error)? = nil) -> ObjectBody {
        ObjectBody(
            size: size,
            chunks: AsyncThrowingStream { continuation in
                for part in parts { continuation.yield(ByteBuffer(string: part)) }
                continuation.finish(throwing: failing)
            }
        )
    }

    @Test("conditions and attributes are sent as headers, and bytes in memory are hashed")
    func headers() async throws {
        let fixture = try ScriptedStore([.stored, .stored, .stored])
        #expect(try await fixture.store.put(try key("a"), bytes, if: .absent) == ETag("abc"))
        try await fixture.store.put(try key("a"), bytes, if: .matches(ETag("old")))
        let attributes = ["content-type": "image/png", "content-md5": "XUFAKrxLKna5cZ2REBfFkg=="]
        let info = try await fixture.store.write(try key("a"), ObjectBody(bytes), attributes: attributes, if: .always)
        #expect(info.size == 5)
        let seen = fixture.transport.requests.map(\.headers)
        let hash = try #require(HTTPField.Name("x-amz-content-sha256"))
        // SeaweedFS makes the loser of concurrent writes wait for 18 seconds.
        #expect(fixture.transport.requests.allSatisfy { $0.timeout > .seconds(20) })
        #expect(seen[0][.ifNoneMatch] == "*")
        #expect(seen[1][.ifMatch] == "\"old\"")
        #expect(seen[0][hash] == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        // Without it SeaweedFS stores an empty object if the sender ends after the header.
        let md5 = try #require(HTTPField.Name("content-md5"))
        #expect(seen.allSatisfy { $0[md5] == "XUFAKrxLKna5cZ2REBfFkg==" })
        #expect(seen[2][hash] == "UNSIGNED-PAYLOAD")
        #expect(seen[2][.contentType] == "image/png")
        #expect(seen[2][.authorization]?.contains("content-md5;content-type;host") == true)
    }

    @Test(
        "rejections are mapped to distinct errors",
        arguments: [
            (.error(412, "PreconditionFailed"), .preconditionFailed), (.error(404, "NoSuchKey"), .preconditionFailed),
            (.error(409, "ConditionalRequestConflict"), .conflict), (.error(400, "BadDigest"), .digestMismatch),
            (.error(507, "InsufficientStorage"), .outOfSpace),
            (.error(403, "AccessDenied"), .denied("AccessDenied (HTTP 403)")),
            (.error(404, "NoSuchBucket"), .denied("NoSuchBucket (HTTP 404)")),
            (.error(400, "IncompleteBody"), .bodyFailed("IncompleteBody (HTTP 400)")),
            (.lost, .outcomeUnknown("reset")), (.response(500), .outcomeUnknown("HTTP 500")),
            (.response(502), .outcomeUnknown("HTTP 502")),
        ] as [(FakeTransport.Reply, ObjectStoreError)]
    )
    func refusals(reply: FakeTransport.Reply, error: ObjectStoreError) async throws {
        let fixture = try ScriptedStore([reply, .stored])
        await #expect(throws: error) { try await fixture.store.put(try key("a"), bytes, if: .matches(ETag("x"))) }
        #expect(
            fixture.transport.requests.count == 1, "a conditional write is never repeated when it may have happened")
    }

    @Test("a conditional write is retried if it was certainly not performed")
    func notDone() async throws {
        let fixture = try ScriptedStore([.error(503, "SlowDown"), .notSent, .stored])
        try await fixture.store.put(try key("a"), bytes, if: .absent)
        #expect(fixture.transport.requests.count == 3)
    }

    @Test("a repeatable write is retried regardless of its outcome")
    func repeated() async throws {
        let fixture = try ScriptedStore([.lost, .response(500), .stored])
        try await fixture.store.put(try key("a"), bytes, if: .always)
        #expect(fixture.transport.requests.map(\.body) == ["hello", "hello", "hello"])
    }

    @Test("a body of another length than declared is never sent")
    func length() async throws {
        let fixture = try ScriptedStore([.stored])
        for body in [streamed(["abc"], size: 2), streamed(["abc"], size: 4)] {
            await #expect(throws: ObjectStoreError.bodyFailed("body length mismatch")) {
                try await fixture.store.write(try key("a"), body, attributes: [:], if: .always)
            }
        }
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test("deleting a missing object succeeds unless an ETag was specified")
    func delete() async throws {
        let fixture = try ScriptedStore([
            .response(204), .error(404, "NoSuchKey"), .error(404, "NoSuchKey"), .response(412),
        ])
        try await fixture.store.delete(try key("a"), if: .always)
        try await fixture.store.delete(try key("a"), if: .always)
        for _ in 0..<2 {
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.store.delete(try key("a"), if: .matches(ETag("x")))
            }
        }
    }
}
