import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport
import UseCases

@testable import PhotolalaServer

/// Rate limits per client address.
@Suite struct RateLimitTests {
    @Test(
        "calls about a deletion that need no session count against the address, in every spelling of the path",
        arguments: ["/account/deletion/receipt", "//account//deletion/receipt/", "/.well-known/erasure-keys.json"])
    func deletionCodes(path: String) async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 2, identity: 0, total: 0)
        let service = try await TestService.make(options)
        try await service.exchange { http in
            var statuses: [Int] = []
            for _ in 0..<4 {
                let isGet = path.hasSuffix("keys.json")
                let response = try await http.send(
                    isGet ? .get : .post, path, json: isGet ? nil : #"{"receiptCode":"x"}"#)
                statuses.append(response.status.code)
            }
            #expect(!statuses.prefix(2).contains(429) && statuses.suffix(2).allSatisfy { $0 == 429 }, "\(statuses)")
        }
    }

    @Test("exceeding the address limit returns 429 with Retry-After under /auth; health checks are not limited")
    func overHTTP() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 2, identity: 0, total: 0)
        let service = try await TestService.make(options)
        try await service.server().test(.router) { client in
            let http = HTTPExchange(client: client)
            for _ in 0..<2 { #expect(try await http.send(.post, "/auth/refresh", json: "{}").status == .badRequest) }
            let refused = try await http.send(.post, "//auth/refresh", json: "{}")
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "30")
            #expect(try http.problem(refused).code == .rateLimited)
            #expect(try await http.send(.get, "/health/live").status == .ok)
        }
    }

    @Test("calls with a token or session cookie, valid or not, count per address; others do not")
    func signedIn() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 0, identity: 0, total: 0, signedInAddress: 3)
        let service = try await TestService.make(options)
        let session = try await service.signUp(.apple, "bob").session
        let cookie = "__Host-photolala-session=x"
        try await service.exchange { http in
            let path = "/users/\(try await service.caller(session).user)"
            #expect(try await http.send(.get, path, token: session.accessToken).status == .ok)
            #expect(try await http.send(.get, path, token: "a.b.c").status == .unauthorized)
            #expect(try await http.send(.get, "/account", headers: [.cookie: cookie]).status == .seeOther)
            _ = service.store.drainRequests()
            let refused = try await http.send(.get, path, token: session.accessToken)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "20")
            let page = try await http.send(.get, "/library", headers: [.cookie: cookie])
            #expect(page.status == .tooManyRequests && page.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(service.store.drainRequests().isEmpty)
            #expect(try await http.send(.get, "/sign-in").status == .ok)
            #expect(try await http.send(.get, "/health/live").status == .ok)
            service.clock.advance(by: 20)
            #expect(try await http.send(.get, path, token: session.accessToken).status == .ok)
        }
    }

    @Test(
        "revoking tokens and starting a verification count like sign-ins",
        arguments: [("/revoke", 400), ("/prove/google", 403)])
    func counted(_ path: String, _ refusal: Int) async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 2, identity: 0, total: 0)
        let service = try await TestService.make(options)
        try await service.exchange { http in
            let method: HTTPRequest.Method = path == "/revoke" ? .post : .get
            for expected in [refusal, refusal, 429] {
                let response = try await http.send(method, path)
                #expect(response.status.code == expected)
            }
        }
    }

    @Test(
        "an address range contains exactly its addresses",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("192.168.1.0/25", "192.168.1.127", true),
            ("192.168.1.0/25", "192.168.1.128", false), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("0.0.0.0/0", "8.8.8.8", true), ("10.0.0.0/8", "nonsense", false),
        ])
    func ranges(range: String, address: String, isInside: Bool) throws {
        let isContained = try IPAddress(address).map { try #require(AddressRange(range)).contains($0) } ?? false
        #expect(isContained == isInside)
    }

    @Test(
        "a malformed address range is rejected",
        arguments: ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "1.2.3.4/8/8", "::1/129"])
    func notRanges(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "an address from a proxy is parsed with or without a port; other text is rejected",
        arguments: [
            ("6.6.6.6", "6.6.6.6"), ("6.6.6.6:4711", "6.6.6.6"), ("[2001:db8::1]:443", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"), ("unknown", nil), ("", nil), ("6.6.6.6.6", nil), ("[", nil),
        ]
    )
    func writtenAddresses(text: String, address: String?) {
        #expect(IPAddress(writtenByProxy: text[...]) == address.flatMap { IPAddress($0) })
    }
}
