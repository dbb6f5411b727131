import Foundation

extension MetricRegistry {
    /// The media type of `prometheusText`.
    package static let prometheusMediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns all metrics in the text format of Prometheus, version 0.0.4.
    package func prometheusText() -> String {
        let (families, dropped) = snapshot()
        var text = ""
        for family in families {
            let definition = family.definition
            text += "# HELP \(definition.name) \(Self.escaped(definition.help))\n"
            text += "# TYPE \(definition.name) \(definition.kind.prometheusName)\n"
            for (values, instrument) in family.series {
                let labels = zip(definition.labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
                Self.write(instrument, definition, labels, to: &text)
            }
        }
        text += "# HELP photolala_metrics_dropped_total Updates not recorded because there were too many series.\n"
        text += "# TYPE photolala_metrics_dropped_total counter\n"
        text += "photolala_metrics_dropped_total \(dropped)\n"
        return text
    }

    private static func write(
        _ instrument: Instrument, _ definition: MetricDefinition, _ labels: [String], to text: inout String
    ) {
        func line(_ suffix: String, _ labels: [String], _ value: some CustomStringConvertible) {
            text += definition.name + suffix
            if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
            text += " \(value)\n"
        }
        switch instrument {
        case .counter(let counter): line("", labels, counter.value)
        case .gauge(let gauge): line("", labels, number(gauge.value))
        case .histogram(let histogram):
            guard case .histogram(let bounds) = definition.kind else { return }
            var total: UInt64 = 0
            let values = histogram.values
            for (bound, count) in zip(bounds.map(number) + ["+Inf"], values) {
                total += count
                line("_bucket", labels + ["le=\"\(bound)\""], total)
            }
            line("_sum", labels, number(histogram.sum))
            line("_count", labels, total)
        }
    }

    /// Returns a number without a needless fraction: 1 and not 1.0.
    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += #"\\"#
            case "\n": escaped += #"\n"#
            case "\"" where quotes: escaped += #"\""#
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

extension MetricDefinition.Kind {
    fileprivate var prometheusName: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
