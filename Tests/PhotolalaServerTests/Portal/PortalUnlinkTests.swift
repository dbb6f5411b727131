import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Pending unlinkings, and linking that is refused, on the pages.
@Suite struct PortalUnlinkTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test("the confirmation and the pages show the date of a pending unlink, which a button undoes")
    func pending() async throws {
        var options = TestService.Options()
        options.unlinkDelay = 86_400
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let app = try await service.signIn(.google, "dev-bob", device: 5).session
            _ = try await service.link(.facebook, "bob", in: app)
            let google = try await service.linkID(.google, app)
            let fields = "form_token=\(try await bob.formToken())&link=\(google)"

            let question = text(try await bob.send(.post, "/account/unlink", json: fields, headers: Self.form))
            #expect(question.contains("You can sign in with this Google account until September 22, 2026"))
            let done = try await bob.send(.post, "/account/unlink", json: "\(fields)&confirmed=1", headers: Self.form)
            #expect(done.status == .seeOther)
            for path in ["/account", "/account/links"] {
                let page = text(try await bob.send(.get, path))
                #expect(page.contains("Google will be unlinked on September 22, 2026"), "\(path)")
            }
            let links = text(try await bob.send(.get, "/account/links"))
            #expect(links.contains("Undo unlinking Google") && !links.contains("action=\"/account/unlink\""))

            let undone = try await bob.send(.post, "/account/unlink/undo", json: fields, headers: Self.form)
            #expect(undone.status == .seeOther)
            let after = text(try await bob.send(.get, "/account/links"))
            #expect(!after.contains("will be unlinked") && after.contains("Unlink Google"))
        }
    }

    @Test func `an identity of another account is not linked, and the page names what to do instead`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var zoe = PortalVisitor(http)
            try await zoe.signUp(service, as: "zoe")
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let link = "/account/link/google?form_token=\(try await bob.formToken())"
            let refused = try await bob.follow(link, service, as: "zoe")
            #expect(refused.status == .conflict)
            let page = text(refused)
            #expect(page.contains("<h1>This Google account belongs to another Photolala account</h1>"), "\(page)")
            for alternative in ["link another Google account", "keep both accounts", "add its folder “photos” here"] {
                #expect(page.contains(alternative), "\(alternative)")
            }
            #expect(try await service.owner(.google, "dev-zoe") != service.owner(.google, "dev-bob"))
        }
    }
}
