import Foundation
import Monitoring
import PhotolalaAPI
import Secrets
import Traces
import Tracing
import Transport

extension Live {
    /// The time between reports of metrics on standard output, as long as CloudWatch's standard resolution.
    private static let emfInterval = Duration.seconds(60)

    static func makeTracer(_ settings: TraceSettings, _ queue: SpanQueue) -> ServiceTracer {
        ServiceTracer(
            sampler: TraceSampler(percent: settings.percent), queue: queue, now: nanoseconds, randomness: .system)
    }

    /// Returns the exports of traces and metrics, as configured.
    package func makeReporting(_ transport: any HTTPTransport) -> [BackgroundWork] {
        var work: [BackgroundWork] = []
        if let traces = settings.traces, let spans {
            let service = TracedService(
                version: PhotolalaVersion.current, instance: "\(Randomness.system.uuid())",
                environment: settings.environment.rawValue)
            let exporter = SpanExporter(
                url: traces.url, service: service, queue: spans, transport: transport, now: Self.nanoseconds,
                sleep: { try await Task.sleep(for: $0) }, logger: logger)
            work.append(BackgroundWork(act: { await exporter.run() }, finish: { await exporter.finish() }))
        }
        if let registry, let namespace = settings.emfNamespace {
            let reporter = EMFReporter(registry, namespace: namespace, now: { Date() }) { line in
                // Not `print`: a pipe would buffer the text until the server ends.
                try? FileHandle.standardOutput.write(contentsOf: line)
            }
            work.append(
                BackgroundWork(
                    act: { while (try? await Task.sleep(for: Self.emfInterval)) != nil { reporter.report() } },
                    finish: { reporter.report() }))
        }
        return work
    }

    private static let nanoseconds: @Sendable () -> UInt64 = { DefaultTracerClock.now.nanosecondsSinceEpoch }
}
