import Flows
import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

@testable import PhotolalaServer

/// Limits by client address.
@Suite struct RateLimitTests {
    @Test("Over HTTP the limit answers 429 with Retry-After, for /auth and nothing else")
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

    @Test(
        "Ranges hold what they say",
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
        "Texts that are no ranges are refused",
        arguments: ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "1.2.3.4/8/8", "::1/129"])
    func notRanges(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "What a proxy wrote is read with or without a port, and anything else is no address",
        arguments: [
            ("6.6.6.6", "6.6.6.6"), ("6.6.6.6:4711", "6.6.6.6"), ("[2001:db8::1]:443", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"), ("unknown", nil), ("", nil), ("6.6.6.6.6", nil), ("[", nil),
        ]
    )
    func writtenAddresses(text: String, address: String?) {
        #expect(IPAddress(writtenByProxy: text[...]) == address.flatMap { IPAddress($0) })
    }
}
