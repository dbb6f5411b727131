import HTTPTypes
import PhotolalaTesting
import Testing
import Tracing

@testable import Traces

/// The cases of the W3C's test suite for Trace Context.
@Suite struct TraceContextTests {
    private static let trace = "12345678901234567890123456789012"
    private static let parent = "00-\(trace)-1234567890123456-01"

    private static func state(_ headers: String...) -> String? {
        var fields: HTTPFields = [.traceparent: parent]
        for header in headers { fields.append(HTTPField(name: .tracestate, value: header)) }
        let span = tracer().startRequest(fields)
        #expect(span?.trace.traceID == trace)
        return span?.trace.state.map { "\($0)" }
    }

    private static func tracer(percent: Int = 100) -> ServiceTracer {
        ServiceTracer(
            sampler: TraceSampler(percent: percent), queue: SpanQueue(metrics: .none), now: { 0 },
            randomness: .seeded(1))
    }

    @Test(
        "a valid traceparent continues its trace with a span of its own",
        arguments: [
            parent, " \(parent)", "\t\(parent)", "\(parent) ", "\(parent)\t", "\t \(parent) \t",
            "00-\(trace)-1234567890123456-00", "00-\(trace)-1234567890123456-ff",
            "cc-\(trace)-1234567890123456-01", "cc-\(trace)-1234567890123456-01-what-the-future-will-be-like",
        ])
    func valid(header: String) throws {
        let caller = try #require(TraceContext(traceparent: header, tracestate: nil))
        #expect(caller.traceID == Self.trace && caller.spanID == "1234567890123456" && caller.isRemote)
        #expect(caller.isSampled == !header.hasSuffix("-00"))
        let span = try #require(Self.tracer(percent: 0).startRequest([.traceparent: header]))
        #expect(span.trace.traceID == Self.trace && span.trace.spanID != "1234567890123456")
    }

    @Test(
        "a malformed traceparent starts a new trace and drops tracestate",
        arguments: [
            "", "\(parent).", "\(parent)-what-the-future-will-be-like",
            "cc-\(trace)-1234567890123456-01.what-the-future-will-be-like", "ff-\(trace)-1234567890123456-01",
            ".0-\(trace)-1234567890123456-01", "0.-\(trace)-1234567890123456-01", "000-\(trace)-1234567890123456-01",
            "0000-\(trace)-1234567890123456-01", "0-\(trace)-1234567890123456-01",
            "00-00000000000000000000000000000000-1234567890123456-01",
            "00-.2345678901234567890123456789012-1234567890123456-01",
            "00-1234567890123456789012345678901.-1234567890123456-01",
            "00-123456789012345678901234567890123-1234567890123456-01",
            "00-1234567890123456789012345678901-1234567890123456-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace)-.234567890123456-01", "00-\(trace)-123456789012345.-01", "00-\(trace)-12345678901234567-01",
            "00-\(trace)-123456789012345-01", "00-\(trace)-1234567890123456-.0", "00-\(trace)-1234567890123456-0.",
            "00-\(trace)-1234567890123456-001", "00-\(trace)-1234567890123456-1",
            "00-ABCDEFABCDEFABCDEFABCDEFABCDEFAB-1234567890123456-01", "00-\(trace)-123456789012345A-01",
        ])
    func malformed(header: String) throws {
        #expect(TraceContext(traceparent: header, tracestate: nil) == nil)
        let span = try #require(Self.tracer().startRequest([.traceparent: header, .tracestate: "foo=1"]))
        #expect(span.trace.traceID != Self.trace && span.trace.state == nil)
        #expect(TraceContext(traceparent: span.trace.traceparent, tracestate: nil) != nil)
    }

    @Test("a request without a caller's trace has a span only if it is recorded")
    func unrecorded() {
        for fields in [[:], [.traceparent: "malformed"]] as [HTTPFields] {
            #expect(Self.tracer(percent: 0).startRequest(fields) == nil)
            #expect(Self.tracer().startRequest(fields)?.isRecording == true)
        }
        let tracer = Self.tracer(percent: 10)
        let recorded = (0..<10_000).count { _ in tracer.startRequest([:]) != nil }
        #expect((900...1100).contains(recorded), "\(recorded) of 10,000")
    }

    @Test("two traceparent headers start a new trace")
    func duplicates() {
        var fields: HTTPFields = [.traceparent: Self.parent]
        fields.append(HTTPField(name: .traceparent, value: Self.parent))
        #expect(Self.tracer().startRequest(fields)?.trace.traceID != Self.trace)
        fields[values: .traceparent] = ["cc\(Self.parent.dropFirst(2))-a", "cc\(Self.parent.dropFirst(2))"]
        #expect(Self.tracer().startRequest(fields)?.trace.traceID == Self.trace, "joined, it is one of a later version")
    }

    @Test("a valid tracestate is passed on in order")
    func states() {
        #expect(Self.state("foo=1,bar=2") == "foo=1,bar=2")
        #expect(Self.state("foo=1", "") == "foo=1")
        #expect(Self.state("", "foo=1") == "foo=1")
        #expect(Self.state("") == nil)
        #expect(Self.state("foo=1,bar=2", "rojo=1,congo=2", "baz=3") == "foo=1,bar=2,rojo=1,congo=2,baz=3")
        #expect(Self.state("foo=1 \t , \t bar=2, \t baz=3") == "foo=1,bar=2,baz=3")
        #expect(Self.state("foo=1\t \t,\t \tbar=2,\t \tbaz=3") == "foo=1,bar=2,baz=3")
        let key = "abcdefghijklmnopqrstuvwxyz0123456789_-*/"
        let value = String(
            decoding: (0x20...0x7e as ClosedRange<UInt8>).filter { $0 != 0x2c && $0 != 0x3d }, as: UTF8.self)
        #expect(Self.state("\(key)=\(value)") == "\(key)=\(value)")
        #expect(Self.state("\(key)@a-z0-9_-*/=\(value)") == "\(key)@a-z0-9_-*/=\(value)")
        let most = (1...32).map { String(format: "bar%02d=%02d", $0, $0) }.joined(separator: ",")
        #expect(Self.state(most) == most)
        for key in [String(repeating: "z", count: 256), "\(String(repeating: "t", count: 241))@vvvvvvvvvvvvvv"] {
            #expect(Self.state("foo=1,\(key)=1") == "foo=1,\(key)=1")
        }
    }

    @Test(
        "a malformed tracestate is dropped and the trace continues",
        arguments: [
            "foo=1,foo=1", "foo=1,foo=2", "foo =1", "FOO=1", "foo.bar=1", "foo@=1,bar=2", "@foo=1,bar=2",
            "foo@@bar=1,bar=2", "foo@bar@baz=1,bar=2", "foo=bar=baz", "foo=,bar=3", "foo",
            (1...33).map { "bar\($0)=\($0)" }.joined(separator: ","),
            "foo=1,\(String(repeating: "z", count: 257))=1",
            "foo=1,\(String(repeating: "t", count: 242))@v=1", "foo=1,t@vvvvvvvvvvvvvvv=1",
            "foo=\(String(repeating: "v", count: 257))",
        ])
    func malformedStates(header: String) { #expect(Self.state(header) == nil) }

    @Test("of a tracestate over 512 characters, long members and then the last are dropped")
    func longStates() throws {
        let long = "long=\(String(repeating: "v", count: 130))"
        let members = (0..<12).map { "key\($0)=\(String(repeating: "v", count: 40))" }
        let state = try #require(Self.state("\(long),\(members.joined(separator: ","))"))
        #expect(state == members.prefix(11).joined(separator: ","))
    }

    @Test("the trace is passed on with the current span, and not without one")
    func injection() async throws {
        var fields = HTTPFields()
        TraceContext.injectCurrent(into: &fields)
        #expect(fields.isEmpty)
        let span = try #require(Self.tracer().startRequest([.traceparent: Self.parent, .tracestate: "foo=1"]))
        ServiceContext.$current.withValue(span.context) { TraceContext.injectCurrent(into: &fields) }
        #expect(fields[.traceparent] == "00-\(Self.trace)-\(span.trace.spanID)-01")
        #expect(fields[.tracestate] == "foo=1")
    }
}

extension HTTPField.Name {
    fileprivate static let traceparent = HTTPField.Name("TraceParent") ?? .date
    fileprivate static let tracestate = HTTPField.Name("TRACESTATE") ?? .date
}
