import Foundation
import Monitoring

/// The charts of the last hour, as values for the page's template.
struct ConsoleCharts {
    /// The size of a chart's drawing, in its own units.
    private static let (width, height) = (600.0, 120.0)

    private let minutes: [MetricHistory.Minute]

    init(_ minutes: [MetricHistory.Minute]) { self.minutes = minutes }

    /// One value set for each chart: title, the last and the largest value, and the points of its line.
    var content: [[String: any Sendable]] {
        [
            chart("Requests a minute", "", \.requests), chart("Failed requests a minute", "", \.failures),
            chart("Sign-ins a minute", "", \.signIns), chart("Mean time of a request", " ms", \.requestTime),
            chart("Mean time of a store request", " ms", \.storeTime),
        ]
    }

    private func chart(
        _ title: String, _ unit: String, _ value: KeyPath<MetricHistory.Minute, Double>
    ) -> [String: any Sendable] {
        let values = minutes.map { $0[keyPath: value] }
        let top = max(values.max() ?? 0, 1)
        let step = Self.width / Double(MetricHistory.minutes - 1)
        // The last minute is at the right end.
        let first = Double(MetricHistory.minutes - values.count)
        let points = values.enumerated().map { index, value in
            let (x, y) = ((first + Double(index)) * step, Self.height - value / top * Self.height)
            return "\(Self.text(x)),\(Self.text(y))"
        }
        return [
            "title": title, "points": points.joined(separator: " "),
            "last": values.last.map { Self.text($0) + unit } ?? "no data yet", "top": Self.text(top) + unit,
        ]
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? "\(Int64(value))" : String(format: "%.1f", value)
    }
}
