import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The public page for the codes of a deletion.
@Suite struct DeletionCodePageTests {
    private static let path = "/deletion"

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    /// Deletes an account and returns the codes, with a browser that has no session.
    private func codes(
        _ service: TestService, _ http: HTTPExchange
    ) async throws -> (undo: String, receipt: String, visitor: PortalVisitor) {
        var bob = PortalVisitor(http)
        try await bob.signUp(service, as: "bob")
        let cookie = try #require(bob.cookies["__Host-photolala-session"])
        let done = try await service.services.deletion.schedule(
            DeletionRequest(confirmation: DeletionRequest.confirmationText),
            caller: try await service.services.authenticator.authenticate(browserCookie: cookie))
        return (try #require(done.undoCode), try #require(done.receiptCode), PortalVisitor(http))
    }

    /// Submits a form of the page.
    private func submit(
        _ field: String, _ code: String, in visitor: inout PortalVisitor, language: String = "en"
    ) async throws -> TestResponse {
        let words: HTTPFields = [.acceptLanguage: language, .contentType: "application/x-www-form-urlencoded"]
        let page = text(try await visitor.send(.get, Self.path))
        let token = String(try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1))
        let response = try await visitor.send(
            .post, Self.path, json: "form_token=\(token)&\(field)=\(code)", headers: words)
        #expect(response.headers[.location] == nil && response.headers[.cacheControl] == "no-store")
        #expect(!text(response).contains("value=\"\(code)\""))
        return response
    }

    @Test("a receipt code shows the state in every language, and at the end the receipt")
    func states() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (_, receipt, visitor) = try await codes(service, http)
            for (language, expected) in [
                ("en", "The account will be deleted on October 5, 2026"),
                ("de", "Das Konto wird am 5. Oktober 2026"), ("ja", "アカウントは 2026年10月5日"),
                ("ko", "계정은 2026년 10월 5일"), ("es", "La cuenta se eliminará el 5 de octubre de 2026"),
            ] {
                let shown = try await submit("receipt_code", receipt, in: &visitor, language: language)
                #expect(shown.status == .ok && text(shown).contains(expected), "\(text(shown))")
                #expect(!text(shown).contains("<code"))
            }
            service.clock.advance(by: 14 * 86_400)
            try await service.services.accountErasure.eraseDueAccounts()
            #expect(text(try await submit("receipt_code", receipt, in: &visitor)).contains("is being deleted."))
            for _ in 0..<24 {
                service.clock.advance(by: 3600)
                try await service.services.accountErasure.eraseDueAccounts()
            }
            let shown = text(try await submit("receipt_code", receipt, in: &visitor))
            let status = try await service.services.deletion.status(receiptCode: receipt)
            let expected = try #require(status.receipt)
            #expect(shown.contains("The account was deleted.") && shown.contains(#"<code class="code">\#(expected)<"#))
        }
    }

    @Test("an undo code cancels the deletion once, also with spaces from a copy")
    func undo() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (undo, receipt, visitor) = try await codes(service, http)
            let half = undo.count / 2
            let done = try await submit(
                "undo_code", "+\(undo.prefix(half))%0D%0A\(undo.dropFirst(half))+", in: &visitor)
            #expect(done.status == .ok && text(done).contains("The deletion was cancelled."))
            let shown = text(try await submit("receipt_code", receipt, in: &visitor))
            #expect(shown.contains("No deletion is scheduled."))
            let again = try await submit("undo_code", undo, in: &visitor)
            #expect(again.status == .notFound && text(again).contains("This code is not valid or has expired."))
        }
    }

    @Test("an unknown code shows one error and changes nothing", arguments: ["undo_code", "receipt_code", "x"])
    func unknown(_ field: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (undo, receipt, visitor) = try await codes(service, http)
            let other = field == "undo_code" ? receipt : undo
            for code in ["", "x", String(repeating: "0", count: 600), other] {
                let refused = try await submit(field, code, in: &visitor)
                #expect(refused.status == .notFound)
                #expect(text(refused).split(separator: "This code is not valid or has expired.").count == 2)
            }
            #expect(try await service.services.deletion.status(receiptCode: receipt).state == .scheduled)
        }
    }

    @Test("codes count against the address limit, the page does not")
    func limit() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 2, identity: 0, total: 0)
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var visitor = PortalVisitor(http)
            for _ in 0..<2 { #expect(try await submit("undo_code", "x", in: &visitor).status == .notFound) }
            let refused = try await submit("undo_code", "x", in: &visitor)
            #expect(refused.status == .tooManyRequests && text(refused).contains("Too many requests."))
            #expect(try await visitor.send(.get, Self.path).status == .ok)
        }
    }
}
