import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets
import SigV4
import StorageAccess
import Testing

/// All that SeaweedFS is known to do otherwise than S3. The tests hold it to this list: they fail when something is
/// added to it and when something goes away.
enum SeaweedFSDeviations {
    /// Promises of `ObjectStoreConformance` that it breaks, with what the kit then says.
    ///
    /// Those of listings are one: it sorts folder by folder, so that what is below `o/a/` comes where `o/a` would stand
    /// and not behind `o/a-b`. And it drops header values that are empty.
    static let brokenPromises: [String: String] = [
        "Attributes come back as they were given": "head gives what write gave",
        "A listing is in the order of UTF-8": "every key once, in order",
        "Pages join without a gap": "a page knows whether more follows",
        "A prefix is compared by bytes": "the prefix o/ gives its keys",
        "A listing starts behind any key, there or not": "after o/a come the keys behind it",
    ]

    /// Paths of `BoundaryTable` that are outside of a user's prefixes and open to the user all the same: it compares the
    /// resources of policies in lower case, which turns U+0130 into an i. They are the user's own prefixes in another spelling, which no
    /// other user's ever is.
    static let openPaths: Set = ["photos/{OWN}/x", "Photos/{own}/x", "thumbna%C4%B0ls/{own}/x"]

    /// What it says of a session that is over; AWS says `ExpiredToken`.
    static let expiredSession = "InvalidAccessKeyId"
}

extension AgainstSeaweedFS {
    @Suite("What SeaweedFS does otherwise than S3")
    struct DeviationTests {
        @Test("Two slashes in a row are one: two keys become one object")
        func slashes() async throws {
            let server = try LiveEngine.current
            _ = try await server.raw.send(.put, "deviation//slashes", body: "x", as: server.admin)
            let key = try #require(ObjectKey("deviation/slashes"))
            #expect(try await server.store().head(key) != nil)
        }

        @Test("A body that differs from its signed hash is stored")
        func bodyHash() async throws {
            let server = try LiveEngine.current
            let answer = try await server.raw.send(
                .put, "deviation/hash", body: "x", payload: .of(Data("another".utf8)), as: server.admin)
            #expect(answer.status == 200)
        }

        @Test("What is missing is 404 also to those who may not list")
        func missing() async throws {
            let server = try LiveEngine.current
            let answer = try await server.raw.send(.get, "service/missing", as: server.unlisting)
            #expect(answer.status == 404)
        }

        @Test("The expected owner of the bucket is not compared")
        func bucketOwner() async throws {
            let server = try LiveEngine.current
            let owner = try #require(HTTPField.Name("x-amz-expected-bucket-owner"))
            let answer = try await server.raw.send(.get, "ready", headers: [owner: "123456789012"], as: server.admin)
            #expect(answer.status == 200)
        }

        @Test("An empty header value is dropped, another is kept byte by byte")
        func emptyValues() async throws {
            let store = try LiveEngine.current.store()
            let key = try #require(ObjectKey("deviation/values"))
            let given = ["x-amz-meta-name": "Größe=1; \"a\"", "x-amz-meta-empty": ""]
            try await store.write(key, ObjectBody(ByteBuffer(string: "x")), attributes: given, if: .always)
            var found = try #require(try await store.head(key)).attributes
            found["content-type"] = nil
            #expect(found == ["x-amz-meta-name": "Größe=1; \"a\""])
        }

        @Test("A user's prefixes are open in capitals too, which lead to nobody else's objects")
        func capitals() async throws {
            for path in SeaweedFSDeviations.openPaths {
                for act in BoundaryAct.allCases where act != .copyPartFrom {
                    let world = try await BoundaryWorld(LiveEngine.current)
                    let status = try await act.status(on: path, in: world)
                    // Nothing is there, for keys themselves differ in case.
                    #expect([.get, .head, .copyFrom].contains(act) ? status == 404 : status < 300, "\(act) \(path)")
                    #expect(try await world.text("photos/{own}/x") == "own", "\(act) \(path)")
                    try await world.checkForeign("\(act) \(path)")
                }
            }
        }

        @Test("What a user stores in other spellings of the prefixes is counted, as is what they store in their own")
        func spellings() async throws {
            let server = try LiveEngine.current
            let world = try await BoundaryWorld(server)
            let store = try server.store(as: server.service)
            let retry = RetryPolicy(backoff: Backoff(first: .milliseconds(1), randomness: .system) { _ in })
            func count() async throws -> UsageDocument {
                try await UsageCounts(store: store, retry: retry, countsOtherSpellings: true, now: { Date() })
                    .count(world.own, limit: 1000).document
            }
            let before = try await count()
            #expect(before.objects == 5)
            let paths = [
                "PHOTOS/{own}/a", "photos/{OWN}/b", "photoS/{own}/c", "Catalogs/{OWN}/.photolala.md5",
                "thumbna%C4%B0ls/{own}/e", "THUMBNA%C4%B0LS/{OWN}/f",
            ]
            for path in paths {
                #expect(try await world.send(.put, path, body: "ten bytes!").status == 200, "\(path)")
            }
            // U+017F and U+0131 have an s and an I as capitals; the engine compares in lower case.
            for path in ["photo%C5%BF/{own}/d", "thumbna%C4%B1ls/{own}/d"] {
                #expect(try await world.send(.put, path, body: "x").status == 403, "\(path)")
            }
            let after = try await count()
            #expect(after.objects == 5 + paths.count)
            #expect(after.bytes == before.bytes + 10 * Int64(paths.count))
            #expect(after.kinds?[.catalogs]?.objects == 2)
        }

        @Test("A policy that tells the time allows nothing: the last minutes of a session at ours open no storage")
        func time() async throws {
            let world = try await BoundaryWorld(LiveEngine.current)
            let short = try await world.engine.credentials(of: world.own, seconds: 600)
            #expect(try await world.send(.get, "photos/{own}/x", as: short).status == 403)
            let long = try await world.engine.credentials(of: world.own, seconds: 960)
            #expect(try await world.send(.get, "photos/{own}/x", as: long).status == 200)
        }

        @Test("In keys like the layout's, where no object is also a folder, pages in its own order join without a gap")
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
