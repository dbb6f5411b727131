/// A metric of the service: its name, its meaning and its labels.
package struct MetricDefinition: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case counter
        case gauge
        /// A distribution over buckets. The bounds are the inclusive upper ends in seconds, in ascending order.
        case histogram(bounds: [Double])
    }

    /// The name in the Prometheus exposition format. It ends in the unit, and for a counter in `_total`.
    package let name: String
    package let kind: Kind
    /// What is measured, in one line.
    package let help: String
    /// The names of the labels.
    package let labels: [String]

    package init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }
}

extension MetricDefinition.Kind {
    /// Bounds for the duration of a request, in seconds.
    package static let duration = Self.histogram(
        bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])

    /// Bounds for the duration of a background job, in seconds.
    package static let jobDuration = Self.histogram(bounds: [0.01, 0.1, 1, 10, 60, 300, 900, 3600, 14_400])
}
