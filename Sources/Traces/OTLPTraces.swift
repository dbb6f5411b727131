import Foundation
import Tracing

/// A request of the OpenTelemetry protocol (OTLP 1.x over HTTP with JSON) that exports spans.
struct OTLPTraces: Encodable {
    struct Value: Encodable {
        var stringValue: String?
        /// 64-bit integers are texts in JSON.
        var intValue: String?
        var doubleValue: Double?
        var boolValue: Bool?
    }

    struct Attribute: Encodable {
        let key: String
        let value: Value
    }

    struct Resource: Encodable {
        let attributes: [Attribute]
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct Status: Encodable {
        let code: Int
    }

    struct Span: Encodable {
        let traceId: String
        let spanId: String
        let traceState: String?
        let parentSpanId: String?
        let flags: UInt32
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: Status
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [Span]
    }

    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    let resourceSpans: [ResourceSpans]

    init(_ spans: [SpanRecord], of service: TracedService) {
        let resource = Resource(
            attributes: [
                ("service.name", service.name), ("service.version", service.version),
                ("service.instance.id", service.instance), ("deployment.environment.name", service.environment),
            ].map { Attribute(key: $0, value: Value(stringValue: $1)) })
        resourceSpans = [
            ResourceSpans(
                resource: resource,
                scopeSpans: [
                    ScopeSpans(
                        scope: Scope(name: service.name, version: service.version), spans: spans.map(Span.init))
                ])
        ]
    }

    func bytes() throws -> Data { try JSONEncoder().encode(self) }
}

/// The process whose spans are exported.
package struct TracedService: Sendable {
    let name = "photolala-server"
    let version: String
    /// The id of this process: another one after each start.
    let instance: String
    let environment: String

    package init(version: String, instance: String, environment: String) {
        self.version = version
        self.instance = instance
        self.environment = environment
    }
}

extension OTLPTraces.Span {
    fileprivate init(_ span: SpanRecord) {
        traceId = span.trace.traceID
        spanId = span.trace.spanID
        traceState = span.trace.state.map { "\($0)" }
        parentSpanId = span.parent?.spanID
        // Bit 0: sampled. Bit 8: bit 9 is known. Bit 9: the parent is in another process.
        flags = 1 | 1 << 8 | (span.parent?.isRemote == true ? 1 << 9 : 0)
        name = span.name
        kind =
            switch span.kind {
            case .internal: 1
            case .server: 2
            case .client: 3
            case .producer: 4
            case .consumer: 5
            }
        startTimeUnixNano = "\(span.start)"
        endTimeUnixNano = "\(span.end)"
        var attributes: [OTLPTraces.Attribute] = []
        span.attributes.forEach { key, value in
            if let value = OTLPTraces.Value(value) { attributes.append(OTLPTraces.Attribute(key: key, value: value)) }
        }
        self.attributes = attributes.sorted { $0.key < $1.key }
        status = OTLPTraces.Status(code: span.isFailed ? 2 : 0)
    }
}

extension OTLPTraces.Value {
    /// Arrays are left out.
    fileprivate init?(_ value: SpanAttribute) {
        switch value {
        case .string(let text): self.init(stringValue: text)
        case .stringConvertible(let value): self.init(stringValue: "\(value)")
        case .int32(let number): self.init(intValue: "\(number)")
        case .int64(let number): self.init(intValue: "\(number)")
        case .double(let number): self.init(doubleValue: number)
        case .bool(let flag): self.init(boolValue: flag)
        default: return nil
        }
    }
}
