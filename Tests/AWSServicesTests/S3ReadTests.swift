import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import Testing

struct S3ReadTests {
    private let headers = [
        "ETag": "\"tag\"", "Content-Length": "5", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        "Content-Type": "image/jpeg", "x-amz-meta-a": "b", "Server": "x",
    ]

    @Test("a key is percent-encoded by bytes and the request is signed with the session token")
    func address() async throws {
        let fixture = try ScriptedStore([.response(200, headers, "hello")])
        let stored = try await fixture.store.get(try key("photos/ü +~&?=%/a.dat"))
        #expect(stored == StoredObject(bytes: ByteBuffer(string: "hello"), etag: ETag("tag")))
        let seen = try #require(fixture.transport.requests.first)
        #expect(seen.url == "http://127.0.0.1:9000/photolala-dev/photos/%C3%BC%20%2B~%26%3F%3D%25/a.dat")
        let authorization = try #require(seen.headers[.authorization])
        #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/20150830/us-east-1/s3/aws4_request, "))
        #expect(authorization.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
    }

    @Test("virtual-host addressing puts the bucket before the host")
    func virtualHost() async throws {
        let fixture = try ScriptedStore(
            [.response(200, headers, "hello")], endpoint: "https://s3.example:443/base/", addressing: .virtualHost
        )
        _ = try await fixture.store.get(try key("a"))
        #expect(fixture.transport.requests.map(\.url) == ["https://photolala-dev.s3.example/base/a"])
    }

    @Test("a missing key is absent, with and without an error document")
    func absence() async throws {
        let fixture = try ScriptedStore([.error(404, "NoSuchKey"), .response(404), .error(404, "NoSuchKey")])
        #expect(try await fixture.store.get(try key("a")) == nil)
        #expect(try await fixture.store.head(try key("a")) == nil)
        #expect(try await fixture.store.read(try key("a"), range: nil) == nil)
    }

    @Test(
        "a listing distinguishes missing from forbidden keys",
        arguments: [.error(403, "AccessDenied"), .response(403)] as [FakeTransport.Reply]
    )
    func absenceByListing(refusal: FakeTransport.Reply) async throws {
        for page in [[], ["ab"]] {
            let replies = [refusal, .page(page), refusal, .page(page), refusal, .page(page)]
            let fixture = try ScriptedStore(replies)
            #expect(try await fixture.store.get(try key("a")) == nil)
            #expect(try await fixture.store.head(try key("a")) == nil)
            #expect(try await fixture.store.read(try key("a"), range: nil) == nil)
            #expect(fixture.transport.requests[1].url.hasSuffix("?encoding-type=url&list-type=2&max-keys=1&prefix=a"))
        }
        for listing in [.page(["a"]), .error(403, "AccessDenied")] as [FakeTransport.Reply] {
            let fixture = try ScriptedStore([refusal, listing])
            let error = await #expect(throws: ObjectStoreError.self) { try await fixture.store.get(try key("a")) }
            guard case .denied = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "an error is never reported as absence",
        arguments: [
            (.error(404, "NoSuchBucket"), .denied("NoSuchBucket (HTTP 404)")),
            (.error(403, "AccessDenied"), .denied("AccessDenied (HTTP 403)")),
            (.response(301), .denied("HTTP 301")),
            (.error(501, "NotImplemented"), .denied("NotImplemented (HTTP 501)")),
            (.response(200, [:], "no tag"), .outcomeUnknown("response without ETag")),
        ] as [(FakeTransport.Reply, ObjectStoreError)]
    )
    func failures(reply: FakeTransport.Reply, error: ObjectStoreError) async throws {
        let fixture = try ScriptedStore([reply, reply, reply])
        await #expect(throws: error) { try await fixture.store.get(try key("a")) }
    }

    @Test("an object's metadata is read from the headers")
    func head() async throws {
        let fixture = try ScriptedStore([.response(200, headers)])
        let info = try #require(try await fixture.store.head(try key("a")))
        #expect(info.size == 5)
        #expect(info.lastModified == Date(timeIntervalSince1970: 784_111_777))
        #expect(info.attributes == ["content-type": "image/jpeg", "x-amz-meta-a": "b"])
    }

    @Test("an object larger than the limit is rejected")
    func tooLarge() async throws {
        let fixture = try ScriptedStore([.response(200, headers, "hello")])
        await #expect(throws: ObjectStoreError.tooLarge(limit: 4)) {
            try await fixture.store.get(try key("a"), limit: 4)
        }
    }

    @Test("a range is returned with its offsets")
    func range() async throws {
        var part = headers
        part["Content-Range"] = "bytes 3-7/10"
        let fixture = try ScriptedStore([.response(206, part, "hello")])
        let range = ByteRange.closed(first: 3, last: 7)
        let reading = try #require(try await fixture.store.read(try key("a"), range: range))
        #expect(reading.offsets == 3..<8)
        #expect(reading.info.size == 10)
        #expect(fixture.transport.requests.first?.headers[.range] == "bytes=3-7")
    }

    @Test(
        "a range other than the requested one is rejected",
        arguments: ["bytes 0-4/10", "bytes 3-7/9", "junk", "bytes 7-3/10"]
    )
    func otherRange(text: String) async throws {
        var part = headers
        part["Content-Range"] = text
        let fixture = try ScriptedStore([.response(206, part, "hello")])
        await #expect(throws: ObjectStoreError.unavailable("response with another range than requested")) {
            try await fixture.store.read(try key("a"), range: .suffix(5))
        }
    }

    @Test("a range beyond the end reports the size")
    func unsatisfiable() async throws {
        let fixture = try ScriptedStore([.error(416, "InvalidRange", ["Content-Range": "bytes */7"])])
        await #expect(throws: ObjectStoreError.rangeNotSatisfiable(size: 7)) {
            try await fixture.store.read(try key("a"), range: .from(9))
        }
    }

    @Test("an unsatisfiable range without a reported size is resolved with HEAD")
    func lookedUp() async throws {
        let fixture = try ScriptedStore([.error(416, "InvalidRange"), .response(200, headers), .response(200, headers)])
        for range in [ByteRange.from(9), .suffix(-1)] {
            await #expect(throws: ObjectStoreError.rangeNotSatisfiable(size: 5)) {
                try await fixture.store.read(try key("a"), range: range)
            }
        }
        #expect(fixture.transport.requests.map(\.method) == ["GET", "HEAD", "HEAD"])
    }

    @Test("an interrupted stream throws a store error")
    func brokenStream() async throws {
        let fixture = try ScriptedStore([.brokenBody(200, headers)])
        let reading = try #require(try await fixture.store.read(try key("a"), range: nil))
        await #expect(throws: ObjectStoreError.unavailable("connectionLost(\"cut\")")) {
            for try await _ in reading.body {}
        }
    }

    @Test("a damaged object is requested once and distinguished from a transient error")
    func damaged() async throws {
        let get = try ScriptedStore([.error(500, "ObjectDamaged"), .response(200, headers, "x")])
        await #expect(throws: ObjectStoreError.corrupted("ObjectDamaged (HTTP 500)")) {
            try await get.store.read(try key("a"), range: nil)
        }
        let head = try ScriptedStore([.response(500, ["x-amz-error-code": "ObjectDamaged"]), .response(200, headers)])
        await #expect(throws: ObjectStoreError.corrupted("ObjectDamaged (HTTP 500)")) {
            try await head.store.head(try key("a"))
        }
        #expect(get.transport.requests.count + head.transport.requests.count == 2)
    }

    @Test("lost responses are retried up to the limit")
    func retries() async throws {
        let fixture = try ScriptedStore([.lost, .brokenBody(200, headers), .response(200, headers, "hello")])
        #expect(try await fixture.store.get(try key("a")) != nil)
        #expect(fixture.waits.count == 2)
        let broken = try ScriptedStore([.error(503, "SlowDown"), .notSent, .response(500), .response(200, headers, "x")])
        await #expect(throws: ObjectStoreError.unavailable("HTTP 500")) { try await broken.store.get(try key("a")) }
        #expect(broken.transport.requests.count == 3)
    }
}
