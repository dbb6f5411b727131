import Foundation
import Testing

@testable import PhotoSync

struct TransferPaceTests {
    /// Simulates a store with a total throughput and a throughput per transfer, in bytes per second.
    private func settled(
        _ pace: inout TransferPace, total: Double, each: Double, seconds: Double, from start: Double = 0
    ) {
        var time = start
        let size = 1_000_000.0
        while time < start + seconds {
            let rate = min(total, each * Double(pace.limit))
            time += size / rate
            pace.recordTransfer(bytes: Int64(size), at: Date(timeIntervalSince1970: time))
        }
    }

    @Test("the limit grows while throughput improves and then stays near the optimum")
    func grows() {
        var pace = TransferPace(2...16)
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 6)
        #expect((8...10).contains(pace.limit))
    }

    @Test("the limit never leaves its range")
    func range() {
        var pace = TransferPace(2...16)
        settled(&pace, total: 1e12, each: 10_000_000, seconds: 60)
        #expect(pace.limit == 16)
        for second in 0..<10 { pace.recordRefusal(at: Date(timeIntervalSince1970: 100 + 2 * Double(second))) }
        #expect(pace.limit == 2)
        #expect(TransferPace(1...1).limit == 1)
    }

    @Test("concurrent refusals count once")
    func refusals() {
        var pace = TransferPace(2...16)
        settled(&pace, total: 1e12, each: 10_000_000, seconds: 60)
        for _ in 0..<16 { pace.recordRefusal(at: Date(timeIntervalSince1970: 100)) }
        #expect(pace.limit == 8)
        pace.recordRefusal(at: Date(timeIntervalSince1970: 101.5))
        #expect(pace.limit == 4)
    }

    @Test("the limit recovers after a refusal")
    func recovers() {
        var pace = TransferPace(2...16)
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 6)
        pace.recordRefusal(at: Date(timeIntervalSince1970: 7))
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 8, from: 7)
        #expect((8...10).contains(pace.limit))
    }

    @Test("a clock set back or forward by a day has no lasting effect")
    func clock() {
        var pace = TransferPace(2...16)
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 6, from: 86_400)
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 6, from: 0)
        settled(&pace, total: 80_000_000, each: 10_000_000, seconds: 6, from: 200_000)
        #expect((7...11).contains(pace.limit))
    }

    @Test("a budget is exceeded only by a single request that is larger than all of it")
    func budget() {
        var budget = MemoryBudget(100)
        let (first, second, third) = (budget.reserve(60), budget.reserve(60), budget.reserve(40))
        #expect(first && !second && third)
        budget.release(60)
        budget.release(40)
        let (large, beside) = (budget.reserve(500), budget.reserve(1))
        #expect(large && !beside)
    }
}
