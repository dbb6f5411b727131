import Crypto
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Secrets
import StorageAccess
import Testing

/// All known deviations of SeaweedFS from S3. The tests fail if a deviation is added or disappears.
enum SeaweedFSDeviations {
    /// The cases of `ObjectStoreConformance` that fail, with the failure of the conformance kit.
    ///
    /// Those about listings have one cause: SeaweedFS sorts folder by folder, so that keys below `o/a/` come at the
    /// position of `o/a` instead of after `o/a-b`. It also drops empty header values.
    static let knownDeviations: [String: String] = [
        "Attributes come back as they were given": "head gives what write gave",
        "A listing is in the order of UTF-8": "every key once, in order",
        "Pages join without a gap": "a page knows whether more follows",
        "A prefix is compared by bytes": "the prefix o/ gives its keys",
        "A listing starts behind any key, there or not": "after o/a come the keys behind it",
    ]

    /// Paths of `BoundaryTable` that are outside of a user's prefixes but accessible to the user: SeaweedFS compares
    /// the resources of policies in lower case, which turns U+0130 into an i. They are other spellings of the user's
    /// own prefixes and never another user's.
    static let openPaths: Set = ["photos/{OWN}/x", "Photos/{own}/x", "thumbna%C4%B0ls/{own}/x"]

    /// The error code for an expired session; AWS returns `ExpiredToken`.
    static let expiredSession = "InvalidAccessKeyId"
}

extension AgainstSeaweedFS {
    @Suite("Deviations of SeaweedFS from S3")
    struct DeviationTests {
        @Test("two consecutive slashes are treated as one, so that two keys become one object")
        func slashes() async throws {
            let server = try LiveEngine.current
            _ = try await server.raw.send(.put, "deviation//slashes", body: "x", as: server.admin)
            let key = try #require(ObjectKey("deviation/slashes"))
            #expect(try await server.store().head(key) != nil)
        }

        @Test("a body that differs from its signed hash is stored")
        func bodyHash() async throws {
            let server = try LiveEngine.current
            let response = try await server.raw.send(
                .put, "deviation/hash", body: "x", payload: .of(Data("another".utf8)), as: server.admin)
            #expect(response.status == 200)
        }

        @Test("a sender that ends after the header leaves an empty object, but not where the header declares an MD5")
        func endAfterHeader() async throws {
            let server = try LiveEngine.current
            let store = try server.store()
            let body = String(repeating: "x", count: 700)
            let plain = try await server.raw.sendHeader("deviation/plain", of: body, as: server.admin)
            #expect(plain.contains("200"))
            #expect(try await store.head(ObjectKey(known: "deviation/plain"))?.size == 0)
            let md5 = Data(Insecure.MD5.hash(data: Data(body.utf8))).base64EncodedString()
            let declared = try await server.raw.sendHeader(
                "deviation/declared", headers: [try #require(HTTPField.Name("content-md5")): md5], of: body,
                as: server.admin)
            #expect(declared.contains("400"))
            #expect(try await store.head(ObjectKey(known: "deviation/declared")) == nil)
        }

        @Test("a missing object returns 404 without the permission to list")
        func missing() async throws {
            let server = try LiveEngine.current
            let response = try await server.raw.send(.get, "service/missing", as: server.unlisting)
            #expect(response.status == 404)
        }

        @Test("the expected bucket owner is not compared")
        func bucketOwner() async throws {
            let server = try LiveEngine.current
            let owner = try #require(HTTPField.Name("x-amz-expected-bucket-owner"))
            let response = try await server.raw.send(.get, "ready", headers: [owner: "123456789012"], as: server.admin)
            #expect(response.status == 200)
        }

        @Test("an empty header value is dropped, and any other value is preserved byte by byte")
        func emptyValues() async throws {
            let store = try LiveEngine.current.store()
            let key = try #require(ObjectKey("deviation/values"))
            let given = ["x-amz-meta-name": "Größe=1; \"a\"", "x-amz-meta-empty": ""]
            try await store.write(key, ObjectBody(ByteBuffer(string: "x")), attributes: given, if: .always)
            var found = try #require(try await store.head(key)).attributes
            found["content-type"] = nil
            #expect(found == ["x-amz-meta-name": "Größe=1; \"a\""])
        }

        @Test("a user's prefixes are also accessible in upper case, which never reaches another user's objects")
        func capitals() async throws {
            for path in SeaweedFSDeviations.openPaths {
                for act in BoundaryOperation.allCases where act != .copyPartFrom {
                    let fixture = try await BoundaryFixture(LiveEngine.current)
                    let status = try await act.status(on: path, in: fixture)
                    // No object exists there, because keys are case-sensitive.
                    #expect([.get, .head, .copyFrom].contains(act) ? status == 404 : status < 300, "\(act) \(path)")
                    #expect(try await fixture.text("photos/{own}/x") == "own", "\(act) \(path)")
                    try await fixture.checkForeign("\(act) \(path)")
                }
            }
        }

        @Test("objects under other spellings of a user's prefixes are counted")
        func spellings() async throws {
            let server = try LiveEngine.current
            let fixture = try await BoundaryFixture(server)
            let store = try server.store(as: server.service)
            let retry = RetryPolicy(backoff: Backoff(first: .milliseconds(1), randomness: .system) { _ in })
            func count() async throws -> UsageDocument {
                try await UsageCounts(store: store, retry: retry, countsCaseVariants: true, now: { Date() })
                    .count(fixture.own, limit: 1000).document
            }
            let before = try await count()
            #expect(before.objects == 5)
            let paths = [
                "PHOTOS/{own}/a", "photos/{OWN}/b", "photoS/{own}/c", "Catalogs/{OWN}/.photolala.md5",
                "thumbna%C4%B0ls/{own}/e", "THUMBNA%C4%B0LS/{OWN}/f",
            ]
            for path in paths {
                #expect(try await fixture.send(.put, path, body: "ten bytes!").status == 200, "\(path)")
            }
            // U+017F and U+0131 have S and I as upper-case letters, but the engine compares in lower case.
            for path in ["photo%C5%BF/{own}/d", "thumbna%C4%B1ls/{own}/d"] {
                #expect(try await fixture.send(.put, path, body: "x").status == 403, "\(path)")
            }
            let after = try await count()
            #expect(after.objects == 5 + paths.count)
            #expect(after.bytes == before.bytes + 10 * Int64(paths.count))
            #expect(after.kinds?[.catalogs]?.objects == 2)
        }

        @Test("a policy with a time condition allows nothing, so that the last minutes of a session have no access")
        func time() async throws {
            let fixture = try await BoundaryFixture(LiveEngine.current)
            let short = try await fixture.engine.credentials(of: fixture.own, seconds: 600)
            #expect(try await fixture.send(.get, "photos/{own}/x", as: short).status == 403)
            let long = try await fixture.engine.credentials(of: fixture.own, seconds: 960)
            #expect(try await fixture.send(.get, "photos/{own}/x", as: long).status == 200)
        }

        @Test("pages of keys like the layout's, where no object is also a folder, join without gaps")
        func pages() async throws {
            let store = try LiveEngine.current.store()
            let inItsOrder = ["apple/1", "apple/2", "apple-x/1", "apple.y/2", "apple0/.a", "apple0/b/c", "b"]
            for name in inItsOrder {
                let key = try #require(ObjectKey("deviation-pages/\(name)"))
                try await store.put(key, ByteBuffer(), if: .absent)
            }
            for limit in 1...8 {
                var (seen, after): ([String], String?) = ([], nil)
                while true {
                    let page = try await store.list(prefix: "deviation-pages/", after: after, limit: limit)
                    seen += page.objects.map { String($0.key.description.dropFirst("deviation-pages/".count)) }
                    guard page.isTruncated else { break }
                    after = page.objects.last?.key.description
                }
                #expect(seen == inItsOrder)
            }
        }
    }
}
