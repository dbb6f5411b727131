import Accounts
import HTTPTypes
import PhotolalaTesting
import Testing
import UseCases

/// The page with the account's history.
@Suite struct ActivityPageTests {
    @Test("the page shows every reason of an operator, as text")
    func reason() async throws {
        let service = try await TestService.make()
        let reason = try #require(OperatorReason("lost <b>phone</b>"))
        let support = AccountSupport(accounts: service.components.accounts, codes: service.components.deletionCodes)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let cookie = try #require(bob.cookies["__Host-photolala-session"])
            let user = try await service.services.authenticator.authenticate(browserCookie: cookie).user
            try await support.endSessions(of: user, reason: reason)
            try await support.placeHold(on: user, reason: try #require(OperatorReason("order 7")))
            _ = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let page = String(buffer: try await bob.send(.get, "/account/activity").body)
            #expect(page.contains("lost &lt;b&gt;phone&lt;/b&gt;") && !page.contains("<b>phone"))
            #expect(page.contains("Legal hold placed") && page.contains("order 7"))
        }
    }
}
