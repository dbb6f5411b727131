import AWSServices
import Foundation
import ObjectStorage
import Testing

struct S3ListTests {
    @Test("listed keys are decoded and returned with their metadata")
    func keys() async throws {
        let fixture = try ScriptedStore([.page(["a/%C3%BC+%2B%26", "a/b"], truncated: true)])
        let page = try await fixture.store.list(prefix: "a/ +", after: "a/ü", limit: 2)
        #expect(page.objects.map(\.key.description) == ["a/ü +&", "a/b"])
        #expect(page.objects.first?.etag == ETag("e"))
        #expect(page.objects.first?.lastModified == Date(timeIntervalSince1970: 1_714_564_800))
        #expect(page.isTruncated)
        let query = "?encoding-type=url&list-type=2&max-keys=2&prefix=a%2F%20%2B&start-after=a%2F%C3%BC"
        #expect(fixture.transport.requests.map(\.url) == ["http://127.0.0.1:9000/photolala-dev" + query])
    }

    @Test("an empty listing is an empty page")
    func empty() async throws {
        let fixture = try ScriptedStore([.page([])])
        let page = try await fixture.store.list(prefix: "a/", after: nil, limit: 10)
        #expect(page == ObjectPage(objects: [], isTruncated: false))
    }

    @Test("a page that contains only folder markers does not end the listing")
    func markers() async throws {
        let fixture = try ScriptedStore([.page(["a/", "a/b/"], truncated: true), .page(["a/c"])])
        let page = try await fixture.store.list(prefix: "a/", after: nil, limit: 2)
        #expect(page.objects.map(\.key.description) == ["a/c"])
        #expect(fixture.transport.requests.last?.url.hasSuffix("start-after=a%2Fb%2F") == true)
    }

    @Test(
        "an invalid listing is an error and never an empty page",
        arguments: ["", "<html></html>", "<ListBucketResult></ListBucketResult>", "not xml"]
    )
    func unreadable(text: String) async throws {
        let fixture = try ScriptedStore([.response(200, [:], text)])
        await #expect(throws: ObjectStoreError.unavailable("malformed listing")) {
            try await fixture.store.list(prefix: "a/", after: nil, limit: 2)
        }
    }
}
