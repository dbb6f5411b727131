/// One document of CloudWatch's embedded metric format: values of metrics with the same labels.
struct EMFLine: Encodable {
    struct Dimension: Hashable {
        let name: String
        let value: String
    }

    enum Value: Sendable {
        case number(Double)
        case distribution(Distribution)
    }

    /// A histogram: representative values and how often each occurred.
    struct Distribution: Encodable, Sendable {
        let values: [Double]
        let counts: [UInt64]
        let min: Double
        let max: Double
        let count: UInt64
        let sum: Double

        private enum CodingKeys: String, CodingKey {
            case values = "Values"
            case counts = "Counts"
            case min = "Min"
            case max = "Max"
            case count = "Count"
            case sum = "Sum"
        }
    }

    struct Metric {
        let name: String
        let unit: String
        let value: Value

        init(_ definition: MetricDefinition, _ value: Value) {
            name = definition.name
            unit =
                if name.hasSuffix("_seconds") {
                    "Seconds"
                } else if name.contains("_bytes") {
                    "Bytes"
                } else {
                    "Count"
                }
            self.value = value
        }
    }

    /// In milliseconds since 1970.
    let time: Int64
    let namespace: String
    let dimensions: [Dimension]
    let metrics: [Metric]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        for dimension in dimensions { try root.encode(dimension.value, forKey: Key(dimension.name)) }
        for metric in metrics {
            switch metric.value {
            case .number(let number): try root.encode(number, forKey: Key(metric.name))
            case .distribution(let distribution): try root.encode(distribution, forKey: Key(metric.name))
            }
        }
        var metadata = root.nestedContainer(keyedBy: Key.self, forKey: Key("_aws"))
        try metadata.encode(time, forKey: Key("Timestamp"))
        var directives = metadata.nestedUnkeyedContainer(forKey: Key("CloudWatchMetrics"))
        var directive = directives.nestedContainer(keyedBy: Key.self)
        try directive.encode(namespace, forKey: Key("Namespace"))
        try directive.encode([dimensions.map(\.name)], forKey: Key("Dimensions"))
        try directive.encode(metrics.map { ["Name": $0.name, "Unit": $0.unit] }, forKey: Key("Metrics"))
    }
}
