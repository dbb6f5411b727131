import CoreMetrics
import Synchronization

/// The metrics of one process, as a backend of swift-metrics.
///
/// A handler for the same label and dimensions is always the same object. Updates take no lock. Memory is bounded by
/// `maximumSeries`: what exceeds it is counted as dropped and not recorded.
package final class MetricRegistry: MetricsFactory {
    /// The most combinations of a metric and its label values.
    package static let maximumSeries = 20_000

    struct Series: Hashable {
        let name: String
        /// The values of the metric's labels, in the order of its definition.
        let values: [String]
    }

    enum Instrument: Sendable {
        case counter(CounterInstrument)
        case gauge(GaugeInstrument)
        case histogram(HistogramInstrument)
    }

    /// A metric with all its series.
    struct Family {
        let definition: MetricDefinition
        let series: [(values: [String], instrument: Instrument)]
    }

    private let definitions: [String: MetricDefinition]
    private let series = Mutex<[Series: Instrument]>([:])
    private let dropped = CounterInstrument()

    /// - Parameter definitions: the metrics that are recorded. All others are ignored: libraries may emit some of their
    ///   own.
    package init(_ definitions: [MetricDefinition]) {
        self.definitions = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, $0) })
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard case .counter(let counter) = instrument(label, dimensions, .counter) else {
            return NOOPMetricsHandler.instance
        }
        return counter
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { NOOPMetricsHandler.instance }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        guard case .gauge(let gauge) = instrument(label, dimensions, .gauge) else { return NOOPMetricsHandler.instance }
        return gauge
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { NOOPMetricsHandler.instance }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        guard let definition = definitions[label], case .histogram = definition.kind,
            case .histogram(let histogram) = instrument(label, dimensions, definition.kind)
        else { return NOOPMetricsHandler.instance }
        return histogram
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Returns the instrument of a series, which is created if it is new; `nil` if the metric is not defined as this kind
    /// with these labels, or if there are too many series.
    private func instrument(
        _ name: String, _ dimensions: [(String, String)], _ kind: MetricDefinition.Kind
    ) -> Instrument? {
        guard let definition = definitions[name], definition.kind == kind,
            definition.labels.elementsEqual(dimensions, by: { $0 == $1.0 })
        else { return nil }
        let key = Series(name: name, values: dimensions.map(\.1))
        return series.withLock { series in
            if let known = series[key] { return known }
            guard series.count < Self.maximumSeries else {
                dropped.increment(by: 1)
                return nil
            }
            let made: Instrument =
                switch kind {
                case .counter: .counter(CounterInstrument())
                case .gauge: .gauge(GaugeInstrument())
                case .histogram(let bounds): .histogram(HistogramInstrument(bounds: bounds))
                }
            series[key] = made
            return made
        }
    }

    /// Returns all series of the defined metrics, in the order of names and label values, and the number of dropped ones.
    func snapshot() -> (families: [Family], dropped: Int64) {
        let all = series.withLock { $0 }
        let byName = Dictionary(grouping: all) { $0.key.name }
        let families = definitions.values.sorted { $0.name < $1.name }.map { definition in
            let own = (byName[definition.name] ?? []).map { (values: $0.key.values, instrument: $0.value) }
            return Family(
                definition: definition, series: own.sorted { $0.values.lexicographicallyPrecedes($1.values) })
        }
        return (families, dropped.value)
    }
}
