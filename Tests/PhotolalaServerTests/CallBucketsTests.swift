import Foundation
import Testing
import Transport

@testable import PhotolalaServer

/// How calls are counted.
@Suite struct CallBucketsTests {
    private let start = Date(timeIntervalSince1970: 1_780_000_000)

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// How many of so many calls at one moment are let through.
    private func calls(_ count: Int, _ buckets: inout CallBuckets, _ address: (Int) throws -> IPAddress) rethrows -> Int
    {
        var taken = 0
        for number in 0..<count where try buckets.take(address(number), at: start) == nil { taken += 1 }
        return taken
    }

    @Test("A bucket holds a minute's calls, says how long to wait, and fills again")
    func bucket() throws {
        var buckets = CallBuckets(callsPerMinute: 6)
        let (one, other) = (try address("6.6.6.6"), try address("6.6.6.7"))
        for _ in 0..<6 { #expect(buckets.take(one, at: start) == nil) }
        #expect(buckets.take(one, at: start) == 10)
        #expect(buckets.take(other, at: start) == nil)
        #expect(buckets.take(one, at: start + 10) == nil)
        #expect(buckets.take(one, at: start + 10) == 10)
    }

    @Test("A clock that jumps back gives nothing away and traps nobody")
    func clockJumpsBack() throws {
        var buckets = CallBuckets(callsPerMinute: 1)
        let one = try address("6.6.6.6")
        #expect(buckets.take(one, at: start) == nil)
        #expect(buckets.take(one, at: start - 86_400) == 60)
    }

    @Test("Clients of unknown address share one bucket")
    func unknown() {
        var buckets = CallBuckets(callsPerMinute: 1)
        #expect(buckets.take(nil, at: start) == nil)
        #expect(buckets.take(nil, at: start) == 60)
    }

    @Test("One address has one bucket, however it is spelled")
    func spellings() throws {
        var buckets = CallBuckets(callsPerMinute: 1)
        let spellings = ["6.6.6.6", "::ffff:6.6.6.6", "::ffff:606:606"]
        #expect(try calls(3, &buckets) { try address(spellings[$0]) } == 1)
    }

    @Test("An IPv6 client is its /64")
    func network() throws {
        var buckets = CallBuckets(callsPerMinute: 1)
        #expect(try calls(9, &buckets) { try address("2001:db8:1:2::\($0)") } == 1)
        #expect(buckets.take(try address("2001:db8:1:3::1"), at: start) == nil)
    }

    @Test("A /48 with many /64s has sixteen times the calls of one, and leaves others theirs")
    func site() throws {
        var buckets = CallBuckets(callsPerMinute: 2)
        #expect(try calls(1000, &buckets) { try address("2001:db8:1:\(String($0, radix: 16))::1") } == 32)
        #expect(buckets.take(try address("2001:db8:1:ffff::1"), at: start) == 2)
        #expect(buckets.take(try address("2001:db8:2::1"), at: start) == nil)
        // What the site's bucket refused is not remembered one by one.
        #expect(buckets.count < 40)
    }

    @Test("Only so many clients are remembered, and those heard last are not forgotten for new ones")
    func boundedMemory() throws {
        var buckets = CallBuckets(callsPerMinute: 1)
        let eager = try address("6.6.6.6")
        #expect(buckets.take(eager, at: start) == nil)
        for number in 0..<200_000 {
            let text = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            #expect(buckets.take(try address(text), at: start) == nil)
            if number % 1000 == 0 { #expect(buckets.take(eager, at: start) == 60) }
        }
        #expect(buckets.count <= CallBuckets.remembered)
    }

    @Test("Who has not called for a minute is forgotten in the next one")
    func forgetting() throws {
        var buckets = CallBuckets(callsPerMinute: 10)
        for number in 0..<100 { _ = buckets.take(try address("10.0.0.\(number)"), at: start) }
        _ = buckets.take(nil, at: start + 60)
        _ = buckets.take(nil, at: start + 120)
        // The one that still calls, in both halves.
        #expect(buckets.count == 2)
    }
}
