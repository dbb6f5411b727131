import Foundation
import HTTPTypes
import Logging
import Monitoring
import NIOCore
import Synchronization
import Transport

/// Sends the recorded spans to a collector (OTLP over HTTP with JSON). Requests to the service never wait for it.
package final class SpanExporter: Sendable {
    /// The longest time that an ended span waits for a request to the collector.
    static let interval = Duration.seconds(5)
    /// The time limit of one request, from its start to the last byte of the response.
    static let requestTime = Duration.seconds(10)
    /// The time limit of everything that is sent at the end.
    static let finalTime = Duration.seconds(5)

    private let url: String
    private let service: TracedService
    private let queue: SpanQueue
    private let transport: any HTTPTransport
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let isFailing = Mutex(false)

    /// - Parameters:
    ///   - url: the collector's address for traces.
    ///   - now: returns the time in nanoseconds.
    ///   - sleep: returns after the duration; throws if its task is cancelled.
    package init(
        url: String, service: TracedService, queue: SpanQueue, transport: any HTTPTransport,
        now: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.url = url
        self.service = service
        self.queue = queue
        self.transport = transport
        self.now = now
        self.sleep = sleep
        self.logger = logger
    }

    /// Exports until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [sleep, queue] in
                while (try? await sleep(Self.interval)) != nil { queue.requestExport() }
            }
            for await _ in queue.requests { while await exportNext(within: Self.requestTime) {} }
            group.cancelAll()
        }
    }

    /// Exports what is left, within `finalTime` in all. The rest is dropped.
    package func finish() async {
        let start = now()
        var left = Self.finalTime
        while left > .zero, await exportNext(within: left) {
            let time = now()
            left = Self.finalTime - .nanoseconds(time > start ? time - start : 0)
        }
        queue.dropAll()
    }

    /// Sends the oldest spans. They stay in the queue if the collector does not respond or is busy.
    /// - Returns: whether there may be more to send now.
    private func exportNext(within time: Duration) async -> Bool {
        let spans = queue.next()
        guard !spans.isEmpty, let body = try? OTLPTraces(spans, of: service).bytes() else { return false }
        var request = TransportRequest(
            method: .post, url: url, headers: [.contentType: "application/json", .userAgent: "photolala-server"],
            body: .bytes(ByteBuffer(bytes: body)), timeout: time)
        request.collectedLength = 64 << 10
        do {
            let response = try await transport.send(request)
            let answer = try await response.collect(limit: 64 << 10)
            switch response.status {
            case 200..<300:
                let rejected = min(spans.count, max(0, Self.rejectedSpans(answer)))
                queue.count(.rejected, rejected)
                queue.count(.sent, spans.count - rejected)
                report(rejected == 0 ? nil : "the collector rejected \(rejected) spans")
            case 429, 502, 503, 504:
                queue.putBack(spans)
                report("status \(response.status)")
                return false
            default:
                queue.count(.rejected, spans.count)
                report("status \(response.status)")
            }
            return true
        } catch {
            queue.putBack(spans)
            if !Task.isCancelled { report("\(error)") }
            return false
        }
    }

    /// Logs the first of several failures, and the end of them.
    private func report(_ failure: String?) {
        let hasChanged = isFailing.withLock { isFailing in
            defer { isFailing = failure != nil }
            return isFailing != (failure != nil)
        }
        guard hasChanged else { return }
        if let failure {
            logger.warning(.tracesNotExported, "traces are not exported", metadata: ["reason": "\(failure)"])
        } else {
            logger.notice(.tracesExportedAgain, "traces are exported again")
        }
    }

    private static func rejectedSpans(_ answer: ByteBuffer) -> Int {
        struct Answer: Decodable {
            struct PartialSuccess: Decodable {
                var rejectedSpans: Number?
            }
            /// A 64-bit integer, which is a text in JSON; some collectors send a number.
            enum Number: Decodable {
                case value(Int)

                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    self = .value(
                        try (try? container.decode(Int.self)) ?? (Int(try container.decode(String.self)) ?? 0))
                }
            }
            var partialSuccess: PartialSuccess?
        }
        let decoded = try? JSONDecoder().decode(Answer.self, from: Data(answer.readableBytesView))
        guard case .value(let count)? = decoded?.partialSuccess?.rejectedSpans else { return 0 }
        return count
    }
}
