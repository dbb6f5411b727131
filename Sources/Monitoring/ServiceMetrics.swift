import CoreMetrics

/// Records metrics with a backend of swift-metrics. Without one it records nothing.
package struct ServiceMetrics: Sendable {
    /// Records nothing.
    package static let none = ServiceMetrics(factory: NOOPMetricsHandler.instance)

    private let factory: any MetricsFactory

    package init(factory: any MetricsFactory) { self.factory = factory }

    /// Adds to a counter.
    /// - Parameter values: the values of the metric's labels, in order.
    package func increment(_ metric: MetricDefinition, _ values: [String] = [], by amount: Int64 = 1) {
        counter(metric, values).increment(by: amount)
    }

    /// Returns the counter of one series, to keep where it is used often.
    func counter(_ metric: MetricDefinition, _ values: [String] = []) -> Counter {
        Counter(label: metric.name, dimensions: dimensions(metric, values), factory: factory)
    }

    /// Sets a gauge.
    package func set(_ metric: MetricDefinition, _ values: [String] = [], to value: Double) {
        Meter(label: metric.name, dimensions: dimensions(metric, values), factory: factory).set(value)
    }

    /// Records a duration.
    package func record(_ metric: MetricDefinition, _ values: [String] = [], _ duration: Duration) {
        timer(metric, values).recordNanoseconds(duration.nanoseconds)
    }

    /// Returns the timer of one series, to keep where it is used often.
    package func timer(_ metric: MetricDefinition, _ values: [String]) -> Timer {
        Timer(label: metric.name, dimensions: dimensions(metric, values), factory: factory)
    }

    private func dimensions(_ metric: MetricDefinition, _ values: [String]) -> [(String, String)] {
        Array(zip(metric.labels, values))
    }
}

extension Duration {
    /// The duration in nanoseconds.
    package var nanoseconds: Int64 {
        components.seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue
            &+ components.attoseconds / 1_000_000_000
    }
}
