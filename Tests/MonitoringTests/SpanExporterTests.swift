import Foundation
import HTTPTypes
import Logging
import NIOCore
import PhotolalaTesting
import Synchronization
import Testing
import Tracing
import Transport

@testable import Monitoring
@testable import Traces

/// Sampling, the queue and the export of spans.
@Suite struct SpanExporterTests {
    /// Answers each request of the exporter with the next status, and the last one from then on.
    private final class Collector: HTTPTransport {
        let requests = Mutex<[TransportRequest]>([])
        private let answers: [(status: Int, body: String)?]

        init(_ answers: [(status: Int, body: String)?]) { self.answers = answers }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            guard let answer = answers[min(count, answers.count) - 1] else { throw .noResponse(after: request.timeout) }
            return TransportResponse(
                status: answer.status, headers: [:],
                body: AsyncStream { stream in
                    stream.yield(ByteBuffer(string: answer.body))
                    stream.finish()
                }.map { $0 as ByteBuffer })
        }
    }

    private let registry = MetricRegistry(ServiceMetric.all)

    private func makeQueue(_ capacity: Int = 4096) -> SpanQueue {
        SpanQueue(capacity: capacity, metrics: ServiceMetrics(factory: registry))
    }

    private func tracer(_ queue: SpanQueue, percent: Int) -> ServiceTracer {
        ServiceTracer(
            sampler: TraceSampler(percent: percent), queue: queue, now: { 1_000_000_000_000_000_000 },
            randomness: .seeded(7))
    }

    private func exporter(_ queue: SpanQueue, _ collector: Collector) -> SpanExporter {
        SpanExporter(
            url: "http://127.0.0.1:4318/v1/traces",
            service: TracedService(version: "1", instance: "i", environment: "dev"), queue: queue,
            transport: collector, now: { 0 }, sleep: { _ in throw CancellationError() },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func counts() -> [String] {
        registry.prometheusText().split(separator: "\n").filter { $0.hasPrefix("photolala_trace_spans_total") }.map {
            String($0.drop { $0 != "\"" })
        }
    }

    @Test("a request with a store call is exported as the protocol requires")
    func document() async throws {
        let queue = makeQueue()
        let tracer = tracer(queue, percent: 0)
        let name = try #require(HTTPField.Name("traceparent"))
        let caller = "00-12345678901234567890123456789012-1234567890123456-01"
        let span = try #require(tracer.startRequest([name: caller]))
        await ServiceContext.$current.withValue(span.context) {
            await (tracer as ServiceTracer?).withSpan("store get", startsTrace: false) { span in
                span?.attributes.set("photolala.outcome", value: .string("success"))
            }
        }
        span.endRequest(route: "/users/{id}", method: .get, status: 503)
        let collector = Collector([(200, "{}")])
        await exporter(queue, collector).finish()
        let request = try #require(collector.requests.withLock { $0.first })
        #expect(request.headers[.contentType] == "application/json")
        guard case .bytes(let body) = request.body else { throw ConformanceFailure("no body") }
        let spans = try ExportedSpan.read(Data(body.readableBytesView))
        #expect(spans.map(\.name) == ["store get", "GET /users/{id}"])
        #expect(spans.map(\.kind) == [3, 2])
        #expect(spans[0].parentSpanId == spans[1].spanId && spans[1].parentSpanId == "1234567890123456")
        #expect(Set(spans.map(\.traceId)) == ["12345678901234567890123456789012"])
        #expect(spans.map { $0.status?.code ?? 0 } == [0, 2])
        #expect(spans.map(\.flags) == [0x101, 0x301])
        #expect(
            spans[1].texts == [
                "error.type": "503", "http.request.method": "GET", "http.response.status_code": "503",
                "http.route": "/users/{id}",
            ])
        #expect(counts().contains(#""sent"} 2"#))
    }

    @Test("a caller's flag decides, up to ten recorded traces a second")
    func sampling() throws {
        let name = try #require(HTTPField.Name("traceparent"))
        for percent in [0, 100] {
            let tracer = tracer(makeQueue(), percent: percent)
            let recorded = (0..<50).map { _ in
                tracer.startRequest([name: "00-12345678901234567890123456789012-1234567890123456-01"])?.isRecording
                    == true
            }
            #expect(recorded == Array(repeating: true, count: 10) + Array(repeating: false, count: 40))
            let refused = try #require(
                tracer.startRequest([name: "00-12345678901234567890123456789012-1234567890123456-00"]))
            #expect(!refused.isRecording)
            #expect((tracer.startRequest([:]) != nil) == (percent == 100))
        }
        let sampler = TraceSampler(percent: 0)
        let caller = TraceContext(traceID: "a", spanID: "b", isSampled: true, isRemote: true)
        for second in 0..<3 as Range<UInt64> {
            #expect((0..<20).count { _ in sampler.samples(caller, at: second * 1_000_000_000) } == 10)
        }
        let one = TraceSampler(percent: 1)
        #expect(one.samples(UInt64.max / 101) && !one.samples(UInt64.max / 99))
    }

    @Test("a full queue drops and counts, and a trace that is not recorded stores nothing")
    func limit() {
        let queue = makeQueue(3)
        for _ in 0..<5 { tracer(queue, percent: 100).startRequest([:])?.end() }
        for _ in 0..<5 { tracer(queue, percent: 0).startRequest([:])?.end() }
        #expect(queue.next().count == 3)
        #expect(counts().contains(#""dropped"} 2"#))
    }

    @Test("spans survive a busy collector; what is rejected or left at the end is counted")
    func failures() async {
        let queue = makeQueue()
        for _ in 0..<4 { tracer(queue, percent: 100).startRequest([:])?.end() }
        let busy = Collector([(503, ""), nil])
        queue.requestExport()
        let exporter = exporter(queue, busy)
        let work = Task { await exporter.run() }
        while busy.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        work.cancel()
        await work.value
        #expect(busy.requests.withLock { $0.count } == 1)
        await self.exporter(queue, Collector([(200, #"{"partialSuccess":{"rejectedSpans":"3"}}"#)])).finish()
        #expect(counts() == [#""dropped"} 0"#, #""rejected"} 3"#, #""sent"} 1"#])
        tracer(queue, percent: 100).startRequest([:])?.end()
        await self.exporter(queue, Collector([(400, "")])).finish()
        tracer(queue, percent: 100).startRequest([:])?.end()
        await self.exporter(queue, Collector([nil])).finish()
        #expect(counts() == [#""dropped"} 1"#, #""rejected"} 4"#, #""sent"} 1"#])
        #expect(queue.next().isEmpty)
    }

    @Test("without a tracer, and outside of a recorded trace, an operation gets no span")
    func untraced() async {
        let none: ServiceTracer? = nil
        #expect(await none.withSpan("a", startsTrace: true) { $0 == nil })
        let queue = makeQueue()
        let some: ServiceTracer? = tracer(queue, percent: 100)
        #expect(await some.withSpan("a", startsTrace: false) { $0 == nil })
        #expect(await some.withSpan("a", startsTrace: true) { $0 != nil })
        #expect(queue.next().count == 1)
    }
}
