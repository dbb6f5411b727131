import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Facebook's two callbacks, and the status page for people.
@Suite struct DeletionCallbackTests {
    private struct Receipt: Decodable {
        let url: String
        let confirmation_code: String
    }

    private static let deletion = "/webhooks/facebook/data-deletion"
    private static let deauthorize = "/webhooks/facebook/deauthorize"

    private func post(_ path: String, _ body: ByteBuffer, _ http: HTTPExchange) async throws -> TestResponse {
        try await http.client.execute(
            uri: path, method: .post, headers: [.contentType: "application/x-www-form-urlencoded"], body: body)
    }

    /// Returns a request that Facebook would send now about a person.
    private func request(_ subject: String, _ http: HTTPExchange) async throws -> ByteBuffer {
        let json = #"{"type":"any","subject":"\#(subject)"}"#
        let made = try await http.send(.post, "/dev/providers/facebook/event", json: json)
        #expect(made.status == .ok)
        return made.body
    }

    private func receipt(_ subject: String, _ http: HTTPExchange) async throws -> Receipt {
        let response = try await post(Self.deletion, try await request(subject, http), http)
        #expect(response.status == .ok && response.headers[.contentType] == "application/json")
        return try JSONDecoder().decode(Receipt.self, from: Data(response.body.readableBytesView))
    }

    /// Returns the status page as a person reads it.
    private func page(_ receipt: Receipt, _ http: HTTPExchange) async throws -> String {
        let path = receipt.url.dropFirst(TestService.publicURL.count)
        let response = try await http.send(.get, String(path))
        #expect(response.status == .ok && response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        #expect(response.headers[.xContentTypeOptions] == "nosniff" && response.headers[.cacheControl] == "no-store")
        return String(buffer: response.body)
    }

    @Test("a deletion request ends the sessions, schedules the deletion and has a status page")
    func schedules() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.facebook, "218471")
        let user = bob.user.serviceUserID
        try await service.exchange { http in
            let receipt = try await receipt("218471", http)
            let code = receipt.confirmation_code
            #expect(receipt.url == "\(TestService.publicURL)\(Self.deletion)/\(code)")
            #expect(code.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
            #expect(try await page(receipt, http).contains("will be deleted on 2026-10-05"))
            let ended = try await http.send(.get, "/users/\(user)", token: bob.session.accessToken)
            #expect(try http.problem(ended).code == .sessionEnded)
            let again = try await self.receipt("218471", http)
            #expect(try await page(again, http).contains("will be deleted on 2026-10-05"))
            service.clock.advance(by: 5)
            let back = try await service.signIn(.facebook, "218471")
            let audit = try await http.send(.get, "/users/\(user)/audit", token: back.session.accessToken)
            let events = try http.answer(audit, as: AuditPage.self).entries.map(\.act)
            #expect(events.count { $0 == .deletionRequested } == 1)
            let cancelled = try await http.send(.delete, "/account/deletion", token: back.session.accessToken)
            #expect(cancelled.status == .ok)
            #expect(try await page(receipt, http).contains("The account is active"))
            service.clock.advance(by: 5)
            _ = try await self.receipt("218471", http)
            #expect(try await page(receipt, http).contains("will be deleted"), "a new request counts")
            for _ in 0..<3 {
                service.clock.advance(by: 15 * 86_400)
                try await service.services.accountErasure.eraseDueAccounts()
            }
            let last = try await page(receipt, http)
            #expect(last.contains("were deleted") && !last.contains("receipt") && !last.contains("eyJ"))
        }
    }

    @Test("a person without an account gets a code of the same form, and a page that states that nothing is stored")
    func unknown() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.facebook, "218471")
        try await service.exchange { http in
            let (known, unknown) = (try await receipt("218471", http), try await receipt("unknown", http))
            #expect(known.confirmation_code.count == unknown.confirmation_code.count)
            #expect(try await page(unknown, http).contains("No data is stored"))
        }
    }

    @Test("a deletion request older than the last sign-in is ignored, and its page states that the account is in use")
    func late() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let early = try await request("218471", http)
            service.clock.advance(by: 5)
            let bob = try await service.signUp(.facebook, "218471")
            let response = try await post(Self.deletion, early, http)
            let receipt = try JSONDecoder().decode(Receipt.self, from: Data(response.body.readableBytesView))
            #expect(try await page(receipt, http).contains("The account is active"))
            _ = try await post(Self.deauthorize, early, http)
            let stands = try await http.send(
                .get, "/users/\(bob.user.serviceUserID)", token: bob.session.accessToken)
            #expect(stands.status == .ok)
        }
    }

    @Test("a deauthorization ends the sessions, and a new sign-in reactivates the identity")
    func deauthorize() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.facebook, "218471")
        try await service.exchange { http in
            let response = try await post(Self.deauthorize, try await request("218471", http), http)
            #expect(response.status == .ok && response.body.readableBytes == 0)
            let ended = try await http.send(.get, "/auth/devices", token: bob.session.accessToken)
            #expect(try http.problem(ended).code == .sessionEnded)
            service.clock.advance(by: 5)
            let back = try await service.signIn(.facebook, "218471")
            #expect(back.user.serviceUserID == bob.user.serviceUserID)
            let account = try await service.components.accounts.account(back.user.serviceUserID)
            #expect(account?.value.deletion == nil)
        }
    }

    @Test("a request without Facebook's signature is rejected and changes nothing")
    func forged() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.facebook, "218471")
        try await service.exchange { http in
            let genuine = String(buffer: try await request("218471", http))
            let bodies = [
                "", "signed_request=", "signed_request=a.b", "\(genuine)x",
                genuine.replacing("request=", with: "request=A"),
                "\(genuine)&\(genuine)", genuine.replacing("signed_request", with: "signed"),
            ]
            for (path, body) in [Self.deletion, Self.deauthorize].flatMap({ path in bodies.map { (path, $0) } }) {
                let response = try await post(path, ByteBuffer(string: body), http)
                #expect(try http.problem(response).code == .invalidEvent, "\(body.prefix(30))")
            }
            let stands = try await http.send(.get, "/auth/devices", token: bob.session.accessToken)
            #expect(stands.status == .ok)
            let one = try await post("/webhooks/facebook", ByteBuffer(string: genuine), http)
            #expect(one.status == .notFound)
        }
    }

    @Test("a request with a future date is rejected")
    func future() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            service.clock.advance(by: 120)
            let early = try await request("218471", http)
            service.clock.advance(by: -120)
            let response = try await post(Self.deletion, early, http)
            #expect(try http.problem(response).code == .invalidEvent)
        }
    }

    @Test("every unknown confirmation code returns the same page")
    func unknownCode() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let code = try await receipt("unknown", http).confirmation_code
            let changed = "\(code.dropLast())\(code.last == "0" ? "1" : "0")"
            var pages: Set<String> = []
            for text in [changed, "x", "00", code.uppercased(), "\(code)00", String(repeating: "a", count: 4000)] {
                let response = try await http.send(.get, "\(Self.deletion)/\(text)")
                #expect(response.status == .notFound && response.headers[.contentType] == "text/html; charset=utf-8")
                pages.insert(String(buffer: response.body))
            }
            #expect(pages.count == 1)
        }
    }
}
