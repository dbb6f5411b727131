import HTTPTypes
import Testing

@testable import Monitoring

/// Metrics in memory and as text.
@Suite struct MetricRegistryTests {
    private static let calls = MetricDefinition("calls_total", .counter, labels: ["to"], help: "Calls.")
    private static let size = MetricDefinition("size_bytes", .gauge, help: #"A size, "so" \ to say."#)
    private static let wait = MetricDefinition(
        "wait_seconds", .histogram(bounds: [0.1, 1]), labels: ["for"], help: "Waits.")

    private let registry = MetricRegistry([calls, size, wait])
    private var metrics: ServiceMetrics { ServiceMetrics(factory: registry) }

    @Test("all kinds of metrics are written in the text format, in the order of names and labels")
    func text() {
        metrics.increment(Self.calls, ["z"], by: 2)
        metrics.increment(Self.calls, ["a \"b\"\\\n"])
        metrics.increment(Self.calls, ["z"])
        metrics.set(Self.size, to: 12)
        metrics.set(Self.size, to: 2.5)
        for milliseconds in [50, 100, 101, 5000] { metrics.record(Self.wait, ["it"], .milliseconds(milliseconds)) }
        #expect(
            registry.prometheusText() == """
                # HELP calls_total Calls.
                # TYPE calls_total counter
                calls_total{to="a \\"b\\"\\\\\\n"} 1
                calls_total{to="z"} 3
                # HELP size_bytes A size, "so" \\\\ to say.
                # TYPE size_bytes gauge
                size_bytes 2.5
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{for="it",le="0.1"} 2
                wait_seconds_bucket{for="it",le="1"} 3
                wait_seconds_bucket{for="it",le="+Inf"} 4
                wait_seconds_sum{for="it"} 5.251
                wait_seconds_count{for="it"} 4
                # HELP photolala_metrics_dropped_total Updates not recorded because there were too many series.
                # TYPE photolala_metrics_dropped_total counter
                photolala_metrics_dropped_total 0

                """)
    }

    @Test("what is not defined, of another kind or with other labels is ignored")
    func undefined() {
        registry.makeCounter(label: "other_total", dimensions: []).increment(by: 1)
        registry.makeCounter(label: "calls_total", dimensions: []).increment(by: 1)
        registry.makeCounter(label: "calls_total", dimensions: [("from", "a")]).increment(by: 1)
        registry.makeMeter(label: "calls_total", dimensions: [("to", "a")]).set(1.0)
        registry.makeTimer(label: "size_bytes", dimensions: []).recordNanoseconds(1)
        #expect(!registry.prometheusText().contains("{"))
        #expect(!registry.prometheusText().contains("size_bytes 1"))
    }

    @Test("beyond the most series, updates of new ones are counted as dropped and known ones are recorded")
    func tooManySeries() {
        for number in 0..<MetricRegistry.maximumSeries + 3 { metrics.increment(Self.calls, ["\(number)"]) }
        metrics.increment(Self.calls, ["0"])
        let text = registry.prometheusText()
        #expect(text.contains("photolala_metrics_dropped_total 3"))
        #expect(text.contains("calls_total{to=\"0\"} 2"))
        #expect(!text.contains("to=\"\(MetricRegistry.maximumSeries)\""))
    }

    @Test("updates from many tasks are all counted")
    func concurrency() async {
        let metrics = metrics
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        metrics.increment(Self.calls, ["a"])
                        metrics.record(Self.wait, ["it"], .milliseconds(1))
                    }
                }
            }
        }
        let text = registry.prometheusText()
        #expect(text.contains("calls_total{to=\"a\"} 8000") && text.contains("wait_seconds_count{for=\"it\"} 8000"))
        #expect(text.contains("wait_seconds_sum{for=\"it\"} 8\n"))
    }

    @Test("a request is recorded by its route, and an unknown method as another")
    func requests() throws {
        let registry = MetricRegistry(ServiceMetric.all)
        let metrics = ServiceMetrics(factory: registry)
        let timers = RequestTimers(metrics, of: ServiceMetric.requestDuration)
        RequestTimers(metrics, of: ServiceMetric.s3RequestDuration).record(
            .seconds(2), route: nil, method: .put, status: 200)
        timers.record(.milliseconds(2), route: "/users/{id}", method: .get, status: 200)
        timers.record(.milliseconds(2), route: "/users/{id}", method: .get, status: 200)
        timers.record(.milliseconds(2), route: nil, method: try #require(HTTPRequest.Method("BREW")), status: 404)
        let text = registry.prometheusText()
        let name = "http_server_request_duration_seconds_count"
        #expect(text.contains(#"\#(name){route="/users/{id}",method="GET",status="200"} 2"#))
        #expect(text.contains(#"photolala_s3_request_duration_seconds_bucket{method="PUT",status="200",le="2.5"} 1"#))
        #expect(text.contains(#"\#(name){route="-",method="other",status="404"} 1"#))
    }

    @Test("the names of all metrics follow the conventions of Prometheus")
    func names() {
        #expect(Set(ServiceMetric.all.map(\.name)).count == ServiceMetric.all.count)
        for metric in ServiceMetric.all {
            #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
            if case .histogram(let bounds) = metric.kind {
                #expect(metric.name.hasSuffix("_seconds") && bounds == bounds.sorted(), "\(metric.name)")
            }
            #expect(metric.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }, "\(metric.name)")
            #expect(metric.help.hasSuffix("."), "\(metric.name)")
        }
    }
}
