import Foundation
import Synchronization
import Testing

@testable import Monitoring

/// Lines of CloudWatch's embedded metric format.
@Suite struct EMFReporterTests {
    private let registry = MetricRegistry(ServiceMetric.all)
    private let lines = Lines()
    private var metrics: ServiceMetrics { ServiceMetrics(factory: registry) }

    private final class Lines: Sendable {
        let all = Mutex<[Data]>([])
    }

    private func makeReporter() -> EMFReporter {
        EMFReporter(registry, namespace: "Photolala/prod", now: { Date(timeIntervalSince1970: 1_700_000_000) }) {
            [lines] line in lines.all.withLock { $0.append(line) }
        }
    }

    /// Returns the lines since the last call, of which each was checked against AWS's schema.
    private func read() throws -> [[String: Any]] {
        let written = lines.all.withLock { lines in
            defer { lines = [] }
            return lines
        }
        return try written.map { line in
            #expect(line.count < 1 << 20 && line.last == UInt8(ascii: "\n") && line.count { $0 == 10 } == 1)
            let root = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            let metadata = try #require(root["_aws"] as? [String: Any])
            #expect(metadata["Timestamp"] as? Int == 1_700_000_000_000)
            let directives = try #require(metadata["CloudWatchMetrics"] as? [[String: Any]])
            for directive in directives {
                #expect(directive["Namespace"] as? String == "Photolala/prod")
                let sets = try #require(directive["Dimensions"] as? [[String]])
                #expect(sets.count == 1 && sets[0].count <= 30)
                for name in sets[0] {
                    #expect((1...250).contains(name.count))
                    let value = try #require(root[name] as? String)
                    #expect((1...1024).contains(value.count))
                }
                let metrics = try #require(directive["Metrics"] as? [[String: String]])
                #expect((1...100).contains(metrics.count))
                for metric in metrics {
                    #expect(["Seconds", "Bytes", "Count"].contains(metric["Unit"]))
                    let name = try #require(metric["Name"])
                    let value = try #require(root[name])
                    if let distribution = value as? [String: Any] {
                        let values = try #require(distribution["Values"] as? [Double])
                        let counts = try #require(distribution["Counts"] as? [Int])
                        #expect(values.count == counts.count && (1...100).contains(values.count))
                        #expect(distribution["Count"] as? Int == counts.reduce(0, +))
                    } else {
                        #expect(value is Double)
                    }
                }
            }
            return root
        }
    }

    @Test("a counter is written as what came since the last report, and not if nothing did")
    func counters() throws {
        let reporter = makeReporter()
        metrics.increment(ServiceMetric.signIns, ["apple", "success"], by: 3)
        metrics.increment(ServiceMetric.signIns, ["google", "success"], by: 0)
        reporter.report()
        let first = try read()
        #expect(first.count == 1 && first[0]["photolala_sign_ins_total"] as? Int == 3)
        #expect(first[0]["provider"] as? String == "apple")
        reporter.report()
        #expect(try read().isEmpty)
        metrics.increment(ServiceMetric.signIns, ["apple", "success"])
        reporter.report()
        #expect(try read().map { $0["photolala_sign_ins_total"] as? Int } == [1])
    }

    @Test("a gauge is written each time, together with others of the same labels")
    func gauges() throws {
        let reporter = makeReporter()
        metrics.set(ServiceMetric.overdueDeletions, to: 2)
        metrics.set(ServiceMetric.oldestEvent, to: 0.5)
        for _ in 0..<2 {
            reporter.report()
            let lines = try read()
            #expect(lines.count == 1)
            #expect(lines.first?["photolala_deletions_overdue"] as? Int == 2)
            #expect(lines.first?["photolala_webhook_oldest_seconds"] as? Double == 0.5)
        }
    }

    @Test("a histogram is written as the values and counts since the last report")
    func histograms() throws {
        let reporter = makeReporter()
        for milliseconds in [6, 7, 20_000, 60_000] {
            metrics.record(ServiceMetric.tokenServiceRequest, ["success"], .milliseconds(milliseconds))
        }
        reporter.report()
        let first = try #require(try read().first?["photolala_sts_request_seconds"] as? [String: Any])
        #expect(first["Values"] as? [Double] == [0.0075, 20, 30])
        #expect(first["Counts"] as? [Int] == [2, 1, 1])
        #expect(first["Min"] as? Double == 0.005 && first["Max"] as? Double == 30)
        let sum = try #require(first["Sum"] as? Double)
        #expect(abs(sum - 80.013) < 1e-9)
        metrics.record(ServiceMetric.tokenServiceRequest, ["success"], .milliseconds(6))
        reporter.report()
        let next = try #require(try read().first?["photolala_sts_request_seconds"] as? [String: Any])
        #expect(next["Counts"] as? [Int] == [1] && next["Count"] as? Int == 1)
        reporter.report()
        #expect(try read().isEmpty)
    }

    @Test("all metrics of the service fit into the limits")
    func limits() throws {
        for metric in ServiceMetric.all {
            let values = metric.labels.map { "some \($0)" }
            switch metric.kind {
            case .counter: metrics.increment(metric, values)
            case .gauge: metrics.set(metric, values, to: 1)
            case .histogram: metrics.record(metric, values, .seconds(1))
            }
        }
        makeReporter().report()
        let names = try read().flatMap { line in line.keys.filter { $0.contains("_") && $0 != "_aws" } }
        #expect(Set(names).isSuperset(of: ServiceMetric.all.map(\.name)))
    }
}
