import Foundation
import Logging
import Monitoring
import Traces

/// Creates the running service from the settings. The only place that wires the live components.
package struct Live: Sendable {
    package let settings: Settings
    package let logger: Logger
    /// `nil` if nothing is measured.
    package let registry: MetricRegistry?
    package let metrics: ServiceMetrics
    /// `nil` if nothing is traced.
    package let tracer: ServiceTracer?
    let spans: SpanQueue?

    package init(_ settings: Settings) {
        self.settings = settings
        logger = settings.log.makeLogger("photolala", tracing: settings.traces != nil)
        let isMeasured = settings.operatorListen != nil || settings.emfNamespace != nil
        let registry = isMeasured ? MetricRegistry(ServiceMetric.all) : nil
        self.registry = registry
        metrics = registry.map { ServiceMetrics(factory: $0) } ?? .none
        let spans = settings.traces.map { [metrics] _ in SpanQueue(metrics: metrics) }
        self.spans = spans
        tracer = settings.traces.flatMap { traces in spans.map { Self.makeTracer(traces, $0) } }
    }
}
