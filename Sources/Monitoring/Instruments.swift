import CoreMetrics
import Synchronization

/// A count that only grows.
final class CounterInstrument: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(max(0, amount), ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// A value that is set.
final class GaugeInstrument: MeterHandler {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func increment(by amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let next = (Double(bitPattern: known) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(
                expected: known, desired: next, ordering: .relaxed)
            if exchanged { return }
            known = original
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }
}

/// A distribution of durations over buckets.
final class HistogramInstrument: TimerHandler {
    /// The inclusive upper ends of the buckets, in nanoseconds. The last bucket has none.
    private let bounds: [Int64]
    private let counts: AtomicCounts
    private let nanoseconds = Atomic<Int64>(0)

    /// - Parameter bounds: the upper ends in seconds, in ascending order.
    init(bounds: [Double]) {
        self.bounds = bounds.map { Int64($0 * 1_000_000_000) }
        counts = AtomicCounts(count: bounds.count + 1)
    }

    /// The number of values in each bucket, not cumulated.
    var values: [UInt64] { counts.values }

    /// The sum of all values, in seconds.
    var sum: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1_000_000_000 }

    func recordNanoseconds(_ duration: Int64) {
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        counts.increment(index)
        nanoseconds.wrappingAdd(max(0, duration), ordering: .relaxed)
    }
}

/// A fixed number of counts that are updated without a lock.
private final class AtomicCounts: Sendable {
    private let counts: [Count]

    private final class Count: Sendable {
        let value = Atomic<UInt64>(0)
    }

    init(count: Int) { counts = (0..<count).map { _ in Count() } }

    var values: [UInt64] { counts.map { $0.value.load(ordering: .relaxed) } }

    func increment(_ index: Int) { counts[index].value.wrappingAdd(1, ordering: .relaxed) }
}
