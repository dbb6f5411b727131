import Foundation
import Testing

@testable import UseCases

/// Counting of calls per client.
@Suite struct TokenBucketsTests {
    private let start = Date(timeIntervalSince1970: 1_780_000_000)

    private let one = RateLimitKey.address(1)

    private func buckets(_ address: Int) -> TokenBuckets {
        TokenBuckets(CallRates(address: address, identity: 0, total: 0))
    }

    /// Returns how many of `count` simultaneous calls are allowed.
    private func calls(_ count: Int, _ buckets: inout TokenBuckets, _ client: (Int) -> ClientRateLimitKey) -> Int {
        (0..<count).count { number in
            let client = client(number)
            return buckets.consume(client.key, in: client.site, at: start) == nil
        }
    }

    /// Returns a host within a /64.
    private func host(_ network: UInt128, _ host: UInt128 = 1) -> ClientRateLimitKey {
        ClientRateLimitKey(ipv6: 0x2001_0db8_0001 << 80 | network << 64 | host)
    }

    @Test("a bucket holds one minute of calls, reports the wait and refills")
    func bucket() {
        var buckets = buckets(6)
        for _ in 0..<6 { #expect(buckets.consume(one, at: start) == nil) }
        #expect(buckets.consume(one, at: start) == 10)
        #expect(buckets.consume(.address(2), at: start) == nil)
        #expect(buckets.consume(one, at: start + 10) == nil)
        #expect(buckets.consume(one, at: start + 10) == 10)
    }

    @Test("a clock that is set back grants no extra calls and blocks no client permanently")
    func clockJumpsBack() {
        var buckets = buckets(1)
        #expect(buckets.consume(one, at: start) == nil)
        #expect(buckets.consume(one, at: start - 86_400) == 60)
    }

    @Test("clients with an unknown address share one bucket")
    func unknown() {
        var buckets = buckets(1)
        #expect(calls(2, &buckets) { _ in ClientRateLimitKey(ipv4: nil) } == 1)
    }

    @Test("IPv6 clients are counted by /64")
    func network() {
        var buckets = buckets(1)
        #expect(calls(9, &buckets) { host(2, UInt128($0)) } == 1)
        #expect(calls(1, &buckets) { _ in host(3) } == 1)
    }

    @Test("a /48 with many /64s gets at most sixteen times the calls of one and does not affect other networks")
    func site() {
        var buckets = buckets(2)
        #expect(calls(1000, &buckets) { host(UInt128($0)) } == 32)
        #expect(calls(1, &buckets) { _ in ClientRateLimitKey(ipv6: 0x2001_0db8_0002 << 80) } == 1)
        // Clients refused by the site's bucket are not stored individually.
        #expect(buckets.count < 40)
    }

    @Test("without a limit no call is refused and no client is stored")
    func noLimit() {
        var buckets = TokenBuckets(.none, areShared: true)
        #expect(calls(1000, &buckets) { host(UInt128($0)) } == 1000)
        #expect(buckets.count == 0 && buckets.drainCounts().isEmpty)
    }

    @Test("the number of stored clients is bounded, and recently seen clients are not evicted by new ones")
    func boundedMemory() {
        var buckets = TokenBuckets(CallRates(address: 1, identity: 0, total: 0), areShared: true)
        #expect(buckets.consume(one, at: start) == nil)
        for number in 0..<TokenBuckets.generationCapacity + 10_000 {
            #expect(buckets.consume(.address(UInt32(number + 10)), at: start) == nil)
            if number % 1000 == 0 { #expect(buckets.consume(one, at: start) == 60) }
        }
        #expect(buckets.count <= TokenBuckets.generationCapacity)
        #expect(buckets.drainCounts().count <= TokenBuckets.generationCapacity)
    }

    @Test("a client without calls for ten minutes is evicted within the next ten")
    func forgetting() {
        var buckets = buckets(10)
        for number in 0..<100 { _ = buckets.consume(.address(UInt32(number)), at: start) }
        _ = buckets.consume(.unknownAddress, at: start + 600)
        _ = buckets.consume(.unknownAddress, at: start + 1200)
        // The client that still calls, in both halves.
        #expect(buckets.count == 2)
    }

    @Test("calls counted by other instances become debt of at most ten minutes")
    func debt() {
        var buckets = buckets(6)
        buckets.apply(12, to: one, at: start)
        #expect(buckets.consume(one, at: start) == 70)
        buckets.apply(1_000_000, to: one, at: start)
        #expect(buckets.consume(one, at: start) == 550)
        #expect(buckets.consume(one, at: start + 550) == nil)
    }

    @Test(
        "the text that instances exchange names the same caller",
        arguments: [
            RateLimitKey.unknownAddress, .address(.max), .network(1), .site(0xabc), .identity(.max), .session(7),
            .account(9),
            .reserve(3), .hint(1), .everyone,
        ])
    func names(party: RateLimitKey) {
        #expect(RateLimitKey(party.description) == party)
    }

    @Test("a malformed caller name is rejected", arguments: ["", "a", "x1", "a1ffffffff", "n-1", "i g", "**"])
    func notNames(text: String) {
        #expect(RateLimitKey(text) == nil)
    }
}
