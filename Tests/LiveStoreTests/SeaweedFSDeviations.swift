import Foundation
import NIOCore
import ObjectStorage
import SigV4
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
}

extension AgainstSeaweedFS {
    @Suite("What SeaweedFS does otherwise than S3")
    struct DeviationTests {
        @Test("Two slashes in a row are one: two keys become one object")
        func slashes() async throws {
            let server = try LiveEngine.current
            _ = try await server.send(.put, "deviation//slashes", body: "x")
            let key = try #require(ObjectKey("deviation/slashes"))
            #expect(try await server.store().head(key) != nil)
        }

        @Test("A body that differs from its signed hash is stored")
        func bodyHash() async throws {
            let server = try LiveEngine.current
            let answer = try await server.send(.put, "deviation/hash", body: "x", payload: .of(Data("another".utf8)))
            #expect(answer.status == 200)
        }

        @Test("What is missing is 404 also to those who may not list")
        func missing() async throws {
            let server = try LiveEngine.current
            let answer = try await server.send(.get, "service/missing", as: server.unlisting)
            #expect(answer.status == 404)
        }

        @Test("The expected owner of the bucket is not compared")
        func bucketOwner() async throws {
            let server = try LiveEngine.current
            let answer = try await server.send(.get, "ready", headers: [.expectedOwner: "123456789012"])
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
