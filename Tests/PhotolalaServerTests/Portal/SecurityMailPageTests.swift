import Accounts
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What people see and choose of their security e-mails.
@Suite struct SecurityMailPageTests {
    private func service(sendsMail: Bool = true) async throws -> TestService {
        var options = TestService.Options()
        if sendsMail { options.mailer = SilentMailer() }
        return try await .make(options)
    }

    private func language(_ service: TestService, _ person: String) async throws -> String? {
        let accounts = service.components.accounts
        let user = try #require(try await service.owner(.google, person))
        return try await accounts.account(user)?.value.language
    }

    @Test func `the account page shows where they go, and the language can be changed`() async throws {
        let service = try await service()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            _ = try await bob.send(
                .post, "/appearance", json: "language=de&to=%2F",
                headers: [.contentType: "application/x-www-form-urlencoded"])
            try await bob.signUp(service, as: "bob")
            #expect(try await language(service, "dev-bob") == "de")
            let page = try await bob.page("/account")
            #expect(page.contains("Sicherheits-E-Mails") && page.contains("Gehen an bob@"), "\(page)")
            #expect(page.contains(#"<option value="de" selected>Deutsch</option>"#))
            let saved = try await bob.post("/account/mail", "language=ja")
            #expect(saved.status == .seeOther && saved.headers[.location] == "/account?saved=mail#mail")
            #expect(try await language(service, "dev-bob") == "ja")
            #expect(try await bob.page("/account").contains(#"<option value="ja" selected>"#))
            #expect(try await bob.post("/account/mail", "language=xx").status == .badRequest)
            #expect(try await language(service, "dev-bob") == "ja")
        }
    }

    @Test func `an old sign-in cannot change the language, and the choice outlasts the confirmation`() async throws {
        let service = try await service()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let before = try await language(service, "dev-bob")
            service.clock.advance(by: 601)
            let refused = try await bob.post("/account/mail", "language=ko")
            let confirm = "/account/confirm?to=%2Faccount%3Fmail-language%3Dko%23mail"
            #expect(refused.headers[.location] == confirm)
            #expect(try await language(service, "dev-bob") == before)
            let choices = try await bob.page(confirm)
            let link = try #require(choices.firstMatch(of: /href="(\/account\/confirm\/google\?[^"]+)"/)?.1)
            let back = try await bob.follow(String(link), service, as: "bob")
            #expect(back.headers[.location] == "/account?mail-language=ko#mail")
            let page = try await bob.page("/account?mail-language=ko")
            #expect(page.contains(#"<option value="ko" selected>"#) && page.contains("language is not saved yet"))
            #expect(try await bob.post("/account/mail", "language=ko").headers[.location] == "/account?saved=mail#mail")
            #expect(try await language(service, "dev-bob") == "ko")
            #expect(try await !bob.page("/account?mail-language=xx").contains("language is not saved yet"))
        }
    }

    @Test func `a service that sends none shows none`() async throws {
        let service = try await service(sendsMail: false)
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            #expect(try await !bob.page("/account").contains("/account/mail"))
        }
    }

    @Test(arguments: [("de-CH,de;q=0.9,en;q=0.5", "de"), ("fr, es;q=0.5", "es"), ("fr", nil), (nil, nil)])
    func `an app's sign-up has the language of its request`(field: String?, expected: String?) async throws {
        let service = try await service()
        try await service.exchange { http in
            let device = TestService.device(1)
            let proof = try service.idTokenRequest(.google, "bob", .signup, device: device.id)
            let request = SignUpRequest(
                provider: .google, idToken: proof.idToken, challenge: proof.challenge, device: device)
            var headers: HTTPFields = [:]
            headers[.acceptLanguage] = field
            let body = String(decoding: try WireJSON.encoder().encode(request), as: UTF8.self)
            let response = try await http.send(.post, "/auth/signup", json: body, headers: headers)
            #expect(response.status == .created, "\(String(buffer: response.body))")
            #expect(try await language(service, "bob") == expected)
        }
    }
}
