import Secrets
import Tracing

/// A tracer of swift-distributed-tracing whose recorded spans are exported by `SpanExporter`.
///
/// It is passed to the code that it serves and not installed for the process: the HTTP client would then send the
/// trace to identity providers and record URLs.
package final class ServiceTracer: Tracer {
    private let sampler: TraceSampler
    private let queue: SpanQueue
    private let now: @Sendable () -> UInt64
    private let randomness: Randomness

    /// - Parameter now: returns the nanoseconds since 1970.
    package init(
        sampler: TraceSampler, queue: SpanQueue, now: @escaping @Sendable () -> UInt64, randomness: Randomness
    ) {
        self.sampler = sampler
        self.queue = queue
        self.now = now
        self.randomness = randomness
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> TraceSpan {
        start(operationName, in: context(), kind, at: instant().nanosecondsSinceEpoch)
    }

    /// Starts a span now.
    package func start(_ name: String, in context: ServiceContext, _ kind: SpanKind) -> TraceSpan {
        start(name, in: context, kind, at: now())
    }

    private func start(_ name: String, in context: ServiceContext, _ kind: SpanKind, at time: UInt64) -> TraceSpan {
        let parent = context.trace
        let trace: TraceContext
        if let parent {
            trace = TraceContext(
                traceID: parent.traceID, spanID: Hex.encode(randomness.bytes(8)),
                isSampled: parent.isRemote ? sampler.samples(parent, at: time) : parent.isSampled, state: parent.state)
        } else {
            trace = newTrace(isSampled: samples())
        }
        return TraceSpan(
            name, trace, parent: parent, kind, in: context, at: time, now: now, queue: queue)
    }

    /// Starts a trace now if it is to be recorded.
    func startRecordedTrace(_ name: String, _ kind: SpanKind) -> TraceSpan? {
        guard samples() else { return nil }
        return TraceSpan(
            name, newTrace(isSampled: true), parent: nil, kind, in: .topLevel, at: now(), now: now, queue: queue)
    }

    /// Returns whether the next new trace is recorded.
    private func samples() -> Bool { sampler.samples(randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }) }

    private func newTrace(isSampled: Bool) -> TraceContext {
        let bytes = randomness.bytes(24)
        return TraceContext(
            traceID: Hex.encode(bytes[..<16]), spanID: Hex.encode(bytes[16...]), isSampled: isSampled)
    }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.trace = TraceContext(
            traceparent: parent, tracestate: extractor.extract(key: "tracestate", from: carrier))
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        context.trace?.inject(into: &carrier, using: injector)
    }

    /// Asks the exporter to send what has ended.
    package func forceFlush() { queue.requestExport() }
}

extension ServiceTracer? {
    /// Runs an operation in a span. Without a tracer, and in a trace that is not recorded, it only runs the operation,
    /// which then gets no span.
    /// - Parameter startsTrace: whether a trace starts here outside of one. Otherwise there is then no span.
    package func withSpan<Value, Failure: Error>(
        _ name: @autoclosure () -> String, startsTrace: Bool, isolation: isolated (any Actor)? = #isolation,
        _ operation: (TraceSpan?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let self else { return try await operation(nil) }
        let context = ServiceContext.current
        guard context?.trace.map(\.isSampled) ?? startsTrace else { return try await operation(nil) }
        let span = self.start(name(), in: context ?? .topLevel, .client)
        defer { span.end() }
        let result: Result<Value, Failure> = await ServiceContext.$current.withValue(span.context) {
            do throws(Failure) {
                return .success(try await operation(span.isRecording ? span : nil))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
