import Accounts
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What a client and a browser get for a disabled account.
@Suite struct DisabledAccountRouteTests {
    private func disable(_ user: UserID, of service: TestService) async throws {
        let support = AccountSupport(accounts: service.components.accounts, codes: service.components.deletionCodes)
        try await support.disable(user, reason: try #require(OperatorReason("spam <b>7</b>")))
    }

    @Test("every sign-in returns 403 account_disabled without the operator's reason, and other calls 401 session_ended")
    func codes() async throws {
        var options = TestService.Options()
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        try await disable(bob.user.serviceUserID, of: service)
        try await service.exchange { http in
            let device = TestService.device(1)
            func token() throws -> String { try service.token(.apple, "bob") }
            let account = SignUpRequest(provider: .apple, idToken: try token(), device: device)
            for refused in [
                try await http.post(
                    "/auth/signin", SignInRequest(provider: .apple, idToken: try token(), device: device)),
                try await http.post("/auth/signup", account), try await http.post("/auth/continue", account),
                try await http.post("/auth/refresh", RefreshRequest(refreshToken: bob.session.refreshToken)),
            ] {
                #expect(refused.status == .forbidden)
                #expect(try http.problem(refused).code == .accountDisabled)
                #expect(!String(buffer: refused.body).contains("spam"))
            }
            let accessToken = bob.session.accessToken
            for path in ["/auth/credentials", "/auth/reauthenticate", "/account/export"] {
                let ended = try await http.send(.post, path, json: "{}", token: accessToken)
                #expect(try ended.status == .unauthorized && http.problem(ended).code == .sessionEnded, "\(path)")
            }
        }
    }

    @Test("an app's refresh token gets invalid_grant")
    func app() async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let (access, refresh) = try await app.tokens(service, approvedBy: &bob)
            try await disable(try await service.services.authenticator.authenticate(access).user, of: service)
            let refused = try await app.post(
                "/token", ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": "photolala"])
            #expect(try refused.status == .badRequest && app.error(refused) == "invalid_grant")
        }
    }

    @Test("a browser is signed out, and its sign-in ends at a page that names the operator")
    func page() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let cookie = try #require(bob.cookies["__Host-photolala-session"])
            let caller = try await service.services.authenticator.authenticate(browserCookie: cookie)
            try await disable(caller.user, of: service)
            for path in ["/account", "/library", "/account/data"] {
                let away = try await bob.send(.get, path)
                #expect(away.status == .seeOther && away.headers[.location]?.hasPrefix("/sign-in") == true, "\(path)")
            }
            let refused = try await bob.signIn(service, as: "bob", from: "/sign-in")
            let page = String(buffer: refused.body)
            #expect(refused.status == .forbidden && page.contains("This account is disabled."))
            #expect(page.contains("contact the operator") && !page.contains("spam"))
        }
    }
}
