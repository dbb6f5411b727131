import Foundation
import Monitoring
import PhotolalaTesting
import Testing

/// The files of `deploy/monitoring` name metrics, labels and documents that exist.
@Suite struct MonitoringFileTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private static let queries = ["deploy/monitoring/rules.yml", "deploy/monitoring/dashboard.json"]

    @Test("alarms and dashboard use only metrics that the service records, and every metric is in the dashboard")
    func names() throws {
        let known = Set(ServiceMetric.all.map(\.name)).union(["photolala_metrics_dropped_total"])
        var used: Set<String> = []
        for path in Self.queries {
            for match in try Self.text(path).matches(of: /(?:photolala|http_server)_[a-z0-9_]+/) {
                let suffix = ["_bucket", "_sum", "_count"].first { match.output.hasSuffix($0) }
                let name = String(match.output.dropLast(known.contains(String(match.output)) ? 0 : suffix?.count ?? 0))
                #expect(known.contains(name), "\(name) in \(path)")
                if path.hasSuffix(".json") { used.insert(name) }
            }
        }
        #expect(known.subtracting(used) == [])
    }

    @Test("alarms and dashboard use only labels that the metrics have")
    func labels() throws {
        let known = Set(ServiceMetric.all.flatMap(\.labels)).union(["le", "exported_job"])
        for path in Self.queries {
            let text = try Self.text(path).replacing("\\\"", with: "\"")
            let lists = text.matches(of: /by \(([a-z_, ]+)\)/).map { String($0.output.1) }
            let matchers = text.matches(of: /[{,]([a-z_]+)(?:=~|!=|=)"/).map { String($0.output.1) }
            let names = lists.flatMap { $0.split(separator: ", ").map(String.init) } + matchers
            #expect(!names.isEmpty)
            // `job` is a label only of Prometheus' own `up`.
            for name in names { #expect(known.contains(name) || name == "job", "\(name) in \(path)") }
        }
    }

    @Test("every alarm links to a section of the operations document, and has a test")
    func runbooks() throws {
        let (rules, tests) = (try Self.text(Self.queries[0]), try Self.text("deploy/monitoring/rules-test.yml"))
        let anchors = try Self.text("docs/operations.md").split(separator: "\n").filter { $0.hasPrefix("##") }.map {
            $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-").filter {
                $0.isLetter || $0.isNumber || $0 == "-"
            }
        }
        let alarms = rules.matches(of: /alert: (\w+)/).map { String($0.output.1) }
        #expect(alarms.count == rules.matches(of: /runbook: docs\/operations\.md#/).count && alarms.count > 10)
        for match in rules.matches(of: /runbook: docs\/operations\.md#([a-z-]+)/) {
            #expect(anchors.contains(String(match.output.1)), "\(match.output.1)")
        }
        for alarm in alarms {
            #expect(tests.matches(of: try Regex("alertname: \(alarm)\\b")).count == 2, "\(alarm)")
        }
    }

    @Test("the table of metrics is complete")
    func table() throws {
        let rows = try Self.text("deploy/monitoring/README.md").split(separator: "\n").filter {
            $0.hasPrefix("| `photolala_") || $0.hasPrefix("| `http_")
        }
        let expected = ServiceMetric.all.map { metric in
            let kind =
                switch metric.kind {
                case .counter: "counter"
                case .gauge: "gauge"
                case .histogram: "histogram"
                }
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(kind) | \(labels) | \(metric.help) |"
        }
        #expect(rows.map(String.init).dropLast() == expected[...])
    }
}
