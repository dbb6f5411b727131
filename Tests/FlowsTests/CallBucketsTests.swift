import Foundation
import Testing

@testable import Flows

/// How calls are counted.
@Suite struct CallBucketsTests {
    private let start = Date(timeIntervalSince1970: 1_780_000_000)

    private let one = CallParty.address(1)

    private func buckets(_ address: Int) -> CallBuckets {
        CallBuckets(CallRates(address: address, identity: 0, total: 0))
    }

    /// How many of so many calls at one moment are let through.
    private func calls(_ count: Int, _ buckets: inout CallBuckets, _ client: (Int) -> ClientParty) -> Int {
        (0..<count).count { number in
            let client = client(number)
            return buckets.take(client.party, in: client.site, at: start) == nil
        }
    }

    /// The host of a /64.
    private func host(_ network: UInt128, _ host: UInt128 = 1) -> ClientParty {
        ClientParty(ipv6: 0x2001_0db8_0001 << 80 | network << 64 | host)
    }

    @Test("A bucket holds a minute's calls, says how long to wait, and fills again")
    func bucket() {
        var buckets = buckets(6)
        for _ in 0..<6 { #expect(buckets.take(one, at: start) == nil) }
        #expect(buckets.take(one, at: start) == 10)
        #expect(buckets.take(.address(2), at: start) == nil)
        #expect(buckets.take(one, at: start + 10) == nil)
        #expect(buckets.take(one, at: start + 10) == 10)
    }

    @Test("A clock that jumps back gives nothing away and traps nobody")
    func clockJumpsBack() {
        var buckets = buckets(1)
        #expect(buckets.take(one, at: start) == nil)
        #expect(buckets.take(one, at: start - 86_400) == 60)
    }

    @Test("Clients of unknown address share one bucket")
    func unknown() {
        var buckets = buckets(1)
        #expect(calls(2, &buckets) { _ in ClientParty(ipv4: nil) } == 1)
    }

    @Test("An IPv6 client is its /64")
    func network() {
        var buckets = buckets(1)
        #expect(calls(9, &buckets) { host(2, UInt128($0)) } == 1)
        #expect(calls(1, &buckets) { _ in host(3) } == 1)
    }

    @Test("A /48 with many /64s has sixteen times the calls of one, and leaves others theirs")
    func site() {
        var buckets = buckets(2)
        #expect(calls(1000, &buckets) { host(UInt128($0)) } == 32)
        #expect(calls(1, &buckets) { _ in ClientParty(ipv6: 0x2001_0db8_0002 << 80) } == 1)
        // What the site's bucket refused is not remembered one by one.
        #expect(buckets.count < 40)
    }

    @Test("Without a limit nothing is refused and nothing remembered")
    func noLimit() {
        var buckets = CallBuckets(.none, areShared: true)
        #expect(calls(1000, &buckets) { host(UInt128($0)) } == 1000)
        #expect(buckets.count == 0 && buckets.takeCounts().isEmpty)
    }

    @Test("Only so many clients are remembered, and those heard last are not forgotten for new ones")
    func boundedMemory() {
        var buckets = CallBuckets(CallRates(address: 1, identity: 0, total: 0), areShared: true)
        #expect(buckets.take(one, at: start) == nil)
        for number in 0..<200_000 {
            #expect(buckets.take(.address(UInt32(number + 10)), at: start) == nil)
            if number % 1000 == 0 { #expect(buckets.take(one, at: start) == 60) }
        }
        #expect(buckets.count <= CallBuckets.remembered)
        #expect(buckets.takeCounts().count <= CallBuckets.remembered)
    }

    @Test("Who has not called for ten minutes is forgotten in the next ones")
    func forgetting() {
        var buckets = buckets(10)
        for number in 0..<100 { _ = buckets.take(.address(UInt32(number)), at: start) }
        _ = buckets.take(.unknownAddress, at: start + 600)
        _ = buckets.take(.unknownAddress, at: start + 1200)
        // The one that still calls, in both halves.
        #expect(buckets.count == 2)
    }

    @Test("Calls made elsewhere are owed, ten minutes of them at most")
    func debt() {
        var buckets = buckets(6)
        buckets.apply(12, to: one, at: start)
        #expect(buckets.take(one, at: start) == 70)
        buckets.apply(1_000_000, to: one, at: start)
        #expect(buckets.take(one, at: start) == 550)
        #expect(buckets.take(one, at: start + 550) == nil)
    }

    @Test(
        "What copies tell each other names the same party",
        arguments: [
            CallParty.unknownAddress, .address(.max), .network(1), .site(0xabc), .identity(.max), .session(7), .account(9),
            .reserve(3), .hint(1), .everyone,
        ])
    func names(party: CallParty) {
        #expect(CallParty(party.description) == party)
    }

    @Test("Texts that name no party are refused", arguments: ["", "a", "x1", "a1ffffffff", "n-1", "i g", "**"])
    func notNames(text: String) {
        #expect(CallParty(text) == nil)
    }
}
