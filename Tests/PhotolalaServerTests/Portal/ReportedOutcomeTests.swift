import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

@testable import PhotolalaPortal

/// The notices of acts, which only the browser of the act shows.
@Suite struct ReportedOutcomeTests {
    @Test("the page after an act reports it, and the same address without the act does not")
    func act() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page("/account")
            let version = try #require(page.firstMatch(of: /name="version" value="([^"]+)"/)?.1)
            let sent = try await bob.post("/account/profile", "name=Ann&version=\(version)")
            #expect(sent.headers[.location] == "/account?saved=1")
            #expect(try await bob.page("/account?saved=1").contains("Saved."))
            // Another act, an encoded name, and another browser.
            #expect(try await !bob.page("/account?saved=picture").contains("Saved."))
            #expect(try await !bob.page("/account?%73aved=picture").contains("Saved."))
            var other = PortalVisitor(http)
            #expect(try await other.signIn(service, as: "bob", from: "/sign-in").status == .seeOther)
            #expect(try await !other.page("/account?saved=1").contains("Saved."))
        }
    }

    @Test(
        "an address claims nothing",
        arguments: [
            "/library?done=5", "/library?undone=5", "/library?archived=5", "/library?d%6Fne=5",
            "/library/trash?purged=5", "/library/albums?deleted=1", "/library/shared?deleted=1",
            "/account?kept=1", "/account?saved=1",
        ])
    func forged(_ path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page(path)
            #expect(!page.contains(#"class="toast""#) && !page.contains(#"<p class="notice""#), "\(page)")
        }
    }

    @Test("a continuation after a sign-in reports nothing")
    func continuation() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let back = try await bob.signIn(service, as: "bob", from: "/sign-in?to=%2Flibrary%3Fdone%3D5")
            let location = try #require(back.headers[.location])
            #expect(location == "/library?done=5")
            #expect(try await !bob.page(location).contains(#"class="toast""#))
        }
    }

    @Test("what remains of a query has the other parameters in their order")
    func lasting() {
        #expect(ReportedOutcome.lasting("from=3&done=5&q=a%26done%3D1&go%6Ee=2") == "from=3&q=a%26done%3D1")
        #expect(ReportedOutcome.shown("from=3&done=5", nil) == "from=3")
        #expect(ReportedOutcome.shown("from=3", nil) == "from=3")
    }
}
