import Monitoring
import Synchronization

/// The spans that wait for their export, up to a limit. Further ones are dropped and counted.
package final class SpanQueue: Sendable {
    /// The most spans of one request to the collector.
    static let batch = 512

    private let capacity: Int
    private let spans = Mutex<[SpanRecord]>([])
    private let metrics: ServiceMetrics
    /// An element asks for an export. At most one is waiting.
    let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init(capacity: Int = 4096, metrics: ServiceMetrics) {
        self.capacity = capacity
        self.metrics = metrics
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        for outcome in Outcome.allCases { count(outcome, 0) }
    }

    /// The fate of a span, as a label of the metric.
    enum Outcome: String, CaseIterable {
        case sent
        /// There was no room, or the server stopped while the collector was away.
        case dropped
        /// The collector did not accept it.
        case rejected
    }

    func count(_ outcome: Outcome, _ spans: Int) {
        metrics.increment(ServiceMetric.traceSpans, [outcome.rawValue], by: Int64(spans))
    }

    func append(_ span: SpanRecord) {
        let count = spans.withLock { spans in
            guard spans.count < capacity else { return 0 }
            spans.append(span)
            return spans.count
        }
        if count == 0 { self.count(.dropped, 1) }
        if count == Self.batch { requestExport() }
    }

    func requestExport() { continuation.yield() }

    /// Removes and returns the oldest spans.
    func next() -> [SpanRecord] {
        spans.withLock { spans in
            defer { spans.removeFirst(min(spans.count, Self.batch)) }
            return Array(spans.prefix(Self.batch))
        }
    }

    /// Puts spans back that could not be sent, as far as there is room.
    func putBack(_ unsent: [SpanRecord]) {
        let kept = spans.withLock { spans in
            let room = min(unsent.count, capacity - spans.count)
            spans.insert(contentsOf: unsent.suffix(room), at: 0)
            return room
        }
        count(.dropped, unsent.count - kept)
    }

    /// Drops what is left.
    func dropAll() {
        let left = spans.withLock { spans in
            defer { spans = [] }
            return spans.count
        }
        count(.dropped, left)
    }
}
