import Foundation
import Synchronization

/// Writes the metrics in CloudWatch's embedded metric format: one line for each combination of labels.
///
/// CloudWatch adds up what it gets, so counters and histograms are written as what came since the last report.
package final class EMFReporter: Sendable {
    private struct Report: Sendable {
        var counts: [MetricRegistry.Series: Int64] = [:]
        var distributions: [MetricRegistry.Series: Distribution] = [:]
    }

    private let registry: MetricRegistry
    private let namespace: String
    private let now: @Sendable () -> Date
    private let write: @Sendable (Data) -> Void
    private let last = Mutex(Report())

    /// - Parameters:
    ///   - namespace: the namespace of the metrics in CloudWatch.
    ///   - write: writes one complete line.
    package init(
        _ registry: MetricRegistry, namespace: String, now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (Data) -> Void
    ) {
        self.registry = registry
        self.namespace = namespace
        self.now = now
        self.write = write
    }

    /// Writes what has changed since the last report, and all gauges.
    package func report() {
        var lines: [[EMFLine.Dimension]: [EMFLine.Metric]] = [:]
        last.withLock { last in
            for family in registry.snapshot().families {
                for (values, instrument) in family.series {
                    let series = MetricRegistry.Series(name: family.definition.name, values: values)
                    guard let value = Self.value(of: instrument, family.definition, series, since: &last) else {
                        continue
                    }
                    let dimensions = zip(family.definition.labels, values).map(EMFLine.Dimension.init)
                    lines[dimensions, default: []].append(EMFLine.Metric(family.definition, value))
                }
            }
        }
        let time = Int64(now().timeIntervalSince1970 * 1000)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for (dimensions, metrics) in lines {
            let line = EMFLine(time: time, namespace: namespace, dimensions: dimensions, metrics: metrics)
            guard var bytes = try? encoder.encode(line) else { continue }
            bytes.append(UInt8(ascii: "\n"))
            write(bytes)
        }
    }

    /// Returns the value to report; `nil` if nothing has happened.
    private static func value(
        of instrument: MetricRegistry.Instrument, _ definition: MetricDefinition, _ series: MetricRegistry.Series,
        since last: inout Report
    ) -> EMFLine.Value? {
        switch instrument {
        case .counter(let counter):
            let count = counter.value
            let before = last.counts.updateValue(count, forKey: series) ?? 0
            return count == before ? nil : .number(Double(count - before))
        case .gauge(let gauge): return gauge.value.isFinite ? .number(gauge.value) : nil
        case .histogram(let histogram):
            guard case .histogram(let bounds) = definition.kind else { return nil }
            let found = Distribution(counts: histogram.values, sum: histogram.sum)
            let before = last.distributions.updateValue(found, forKey: series)
            return found.since(before, bounds).map(EMFLine.Value.distribution)
        }
    }
}

/// The counts of a histogram's buckets and the sum of its values.
private struct Distribution {
    let counts: [UInt64]
    let sum: Double

    /// Returns what came since an earlier state; `nil` if nothing did.
    func since(_ before: Distribution?, _ bounds: [Double]) -> EMFLine.Distribution? {
        let added = counts.indices.map { counts[$0] - (before?.counts[$0] ?? 0) }
        let used = added.indices.filter { added[$0] > 0 }
        guard let first = used.first, let last = used.last else { return nil }
        let lower = [0] + bounds
        let upper = bounds + [bounds.last ?? 0]
        // A value is known only by its bucket: the middle stands for it, in the last one the lower end.
        return EMFLine.Distribution(
            values: used.map { (lower[$0] + upper[$0]) / 2 }, counts: used.map { added[$0] }, min: lower[first],
            max: upper[last], count: added.reduce(0, +), sum: sum - (before?.sum ?? 0))
    }
}
