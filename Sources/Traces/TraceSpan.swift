import Synchronization
import Tracing

/// A span of `ServiceTracer`. If its trace is not recorded it stores nothing.
///
/// Events, links and the texts of errors are not exported: they may contain personal data.
package final class TraceSpan: Span {
    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var isFailed = false
        var hasEnded = false
    }

    package let context: ServiceContext
    /// The position of this span.
    package let trace: TraceContext
    private let parent: TraceContext?
    private let kind: SpanKind
    private let start: UInt64
    private let state: Mutex<State>
    private let queue: SpanQueue
    private let now: @Sendable () -> UInt64

    init(
        _ name: String, _ trace: TraceContext, parent: TraceContext?, _ kind: SpanKind, in context: ServiceContext,
        at start: UInt64, now: @escaping @Sendable () -> UInt64, queue: SpanQueue
    ) {
        var own = context
        own.trace = trace
        self.context = own
        self.trace = trace
        self.parent = parent
        self.kind = kind
        self.start = start
        self.now = now
        self.queue = queue
        state = Mutex(State(name: name))
    }

    package var isRecording: Bool { trace.isSampled }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { if isRecording { state.withLock { $0.name = newValue } } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { if isRecording { state.withLock { $0.attributes = newValue } } }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.isFailed = status.code == .error } }

    package func addEvent(_ event: SpanEvent) {}

    package func addLink(_ link: SpanLink) {}

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) { fail("\(type(of: error))") }

    /// Marks the operation as failed.
    /// - Parameter reason: the kind of failure, from a small set of values.
    package func fail(_ reason: String) {
        guard isRecording else { return }
        state.withLock { state in
            state.isFailed = true
            state.attributes.set("error.type", value: .string(reason))
        }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        if isRecording { end(instant().nanosecondsSinceEpoch) }
    }

    /// Ends the span now.
    package func end() { if isRecording { end(now()) } }

    private func end(_ time: UInt64) {
        let ended = state.withLock { state -> SpanRecord? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return SpanRecord(
                trace: trace, parent: parent, name: state.name, kind: kind, start: start, end: max(start, time),
                attributes: state.attributes, isFailed: state.isFailed)
        }
        if let ended { queue.append(ended) }
    }
}

/// A span that has ended.
struct SpanRecord: Sendable {
    let trace: TraceContext
    let parent: TraceContext?
    let name: String
    let kind: SpanKind
    /// In nanoseconds since 1970.
    let start: UInt64
    let end: UInt64
    let attributes: SpanAttributes
    let isFailed: Bool
}
