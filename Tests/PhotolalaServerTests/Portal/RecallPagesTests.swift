import Foundation
import HTTPTypes
import HummingbirdTesting
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Requesting the archived ones among the photos that were chosen in the grid.
@Suite struct RecallPagesTests {
    private static let path = "/library/recall"

    private func chosen(_ numbers: some Sequence<Int>) -> String {
        "from=0&" + numbers.map { "\(ArchiveFixture.md5($0))=1" }.joined(separator: "&")
    }

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    /// Returns the fields of a page's form, encoded for submission.
    private func fields(of page: String) throws -> String {
        let form = try #require(page.firstMatch(of: /<main[\s\S]*?(<form method="post"[^>]*>[\s\S]*?<\/form>)/)?.1)
        let hidden = form.matches(of: /type="hidden" name="([^"]+)" value="([^"]*)"/).filter { $0.1 != "form_token" }
        return hidden.map { "\($0.1)=\($0.2)" }.joined(separator: "&")
    }

    @Test("the grid's second button leads to a page with times and costs, whose form requests the photos")
    func chosenPhotos() async throws {
        try await ArchiveFixture.with(20) { bob in
            let grid = try await bob.page("/library")
            #expect(grid.contains(#/formaction="/library/recall">.*<span>Retrieve from cold storage</span>/#))
            #expect(try await bob.page("/library/trash").contains(Self.path) == false)
            _ = try await bob.ask(0, "bulk")
            let asked = text(try await bob.post(Self.path, chosen(0..<5)))
            #expect(asked.contains("Files in cold storage: 4 (") && asked.contains("Already being retrieved: 1."))
            #expect(asked.contains("Economy: usually within 48 hours") && asked.contains("costs the service about"))
            #expect(bob.archive.acceptedRequests.count == 1, "the page requests nothing")

            let done = try await bob.post(Self.path, try fields(of: asked) + "&speed=standard&days=3")
            #expect(done.headers[.location] == "/library?from=0&asked=4&wait=43200&way=1")
            #expect(bob.archive.acceptedRequests.count == 5)
            #expect(bob.archive.acceptedRequests.last == RetrievalRequest(speed: .standard, days: 3))
            let told = try await bob.page("/library?from=0&asked=4&wait=43200&way=1")
            #expect(
                told.contains(
                    "Files requested from cold storage: 4. They are usually available within 12 hours. "
                        + "Already being retrieved: 1."))
        }
    }

    @Test("without archived photos among the chosen ones there is no question")
    func nothing() async throws {
        try await ArchiveFixture.with(3) { bob in
            #expect(try await bob.post(Self.path, "from=2").headers[.location] == "/library?from=2")
            _ = try await bob.post(Self.path, chosen(0..<3) + "&confirmed=1&speed=bulk")
            let way = try await bob.post(Self.path, chosen(0..<3))
            #expect(way.headers[.location] == "/library?from=0&asked=0&way=3")
            bob.archive.completeRestores()
            let readable = try await bob.post(Self.path, chosen(0..<3))
            #expect(readable.headers[.location] == "/library?from=0&asked=0&readable=3")
            #expect(try await bob.page("/library?asked=0&readable=3").contains("Readable now: 3."))
        }
    }

    @Test("a refusal and a speed that the archive lacks are told in words")
    func refused() async throws {
        try await ArchiveFixture.with(3) { bob in
            let lacking = try await bob.post(Self.path, chosen(0..<3) + "&confirmed=1&speed=expedited")
            #expect(lacking.headers[.location] == "/library?from=0&asked=0&unmet=3")
            #expect(try await bob.page("/library?asked=0&unmet=3").contains("Could not be requested: 3."))
            bob.archive.forcedOutcome.withLock { $0 = .failure(.denied("AccessDenied (HTTP 403)")) }
            let denied = try await bob.post(Self.path, chosen(0..<3) + "&confirmed=1&speed=bulk")
            #expect(denied.headers[.location] == "/library?from=0&asked=0&denied=1")
            let page = try await bob.page("/library?asked=0&denied=1")
            #expect(page.contains("The photo storage refused the request.") && page.contains("Contact the operator"))
            #expect(!page.contains("Files requested from cold storage"))
            bob.archive.forcedOutcome.withLock { $0 = .failure(.unavailable("503")) }
            let later = try await bob.post(Self.path, chosen(0..<3) + "&confirmed=1&speed=bulk")
            #expect(later.headers[.location] == "/library?from=0&asked=0&unmet=3")
            bob.archive.forcedOutcome.withLock { $0 = .failure(.denied("AccessDenied (HTTP 403)")) }
            _ = try await bob.service.services.deletion.schedule(.init(confirmation: "DELETE"), caller: bob.caller)
            try await bob.signInAgain()
            let limited = try await bob.post(Self.path, chosen(0..<3) + "&confirmed=1&speed=bulk")
            let location = try #require(limited.headers[.location])
            #expect(location == "/library?from=0&asked=0&denied=2")
            #expect(try await bob.page(location).contains("over its storage limit or will be"))
        }
    }

    @Test("a confirmed form without a known speed is rejected")
    func malformed() async throws {
        try await ArchiveFixture.with(1) { bob in
            let response = try await bob.post(Self.path, chosen(0..<1) + "&confirmed=1&speed=soon")
            #expect(response.status == .badRequest && bob.archive.requestCount.withLock { $0 } == 0)
        }
    }
}
