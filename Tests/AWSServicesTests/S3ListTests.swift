import AWSServices
import Foundation
import ObjectStorage
import Testing

struct S3ListTests {
    @Test("Keys come decoded, with what is known of them")
    func keys() async throws {
        let world = try StoreUnderTest([.page(["a/%C3%BC+%2B%26", "a/b"], truncated: true)])
        let page = try await world.store.list(prefix: "a/ +", after: "a/ü", limit: 2)
        #expect(page.objects.map(\.key.description) == ["a/ü +&", "a/b"])
        #expect(page.objects.first?.etag == ETag("e"))
        #expect(page.objects.first?.lastModified == Date(timeIntervalSince1970: 1_714_564_800))
        #expect(page.isTruncated)
        let query = "?encoding-type=url&list-type=2&max-keys=2&prefix=a%2F%20%2B&start-after=a%2F%C3%BC"
        #expect(world.transport.seen.map(\.url) == ["http://127.0.0.1:9000/photolala-dev" + query])
    }

    @Test("Nothing is an empty page")
    func empty() async throws {
        let world = try StoreUnderTest([.page([])])
        let page = try await world.store.list(prefix: "a/", after: nil, limit: 10)
        #expect(page == ObjectPage(objects: [], isTruncated: false))
    }

    @Test("A page of nothing but folder markers is not the end")
    func markers() async throws {
        let world = try StoreUnderTest([.page(["a/", "a/b/"], truncated: true), .page(["a/c"])])
        let page = try await world.store.list(prefix: "a/", after: nil, limit: 2)
        #expect(page.objects.map(\.key.description) == ["a/c"])
        #expect(world.transport.seen.last?.url.hasSuffix("start-after=a%2Fb%2F") == true)
    }

    @Test(
        "A listing that cannot be read is a failure and never an empty page",
        arguments: ["", "<html></html>", "<ListBucketResult></ListBucketResult>", "not xml"]
    )
    func unreadable(text: String) async throws {
        let world = try StoreUnderTest([.answer(200, [:], text)])
        await #expect(throws: ObjectStoreError.unavailable("a listing that cannot be read")) {
            try await world.store.list(prefix: "a/", after: nil, limit: 2)
        }
    }
}
