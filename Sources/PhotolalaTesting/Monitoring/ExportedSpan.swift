import Foundation

/// A span as a collector reads it (OTLP over HTTP with JSON). Decoding fails if a member has another form.
package struct ExportedSpan: Decodable, Sendable {
    package struct Status: Decodable, Sendable {
        package let code: Int?
    }

    package struct Attribute: Decodable, Sendable {
        package struct Value: Decodable, Sendable {
            package let stringValue: String?
            /// A text, as 64-bit integers are in JSON.
            package let intValue: String?
        }

        package let key: String
        package let value: Value
    }

    private struct Request: Decodable {
        struct Resource: Decodable {
            struct Content: Decodable { let attributes: [Attribute] }
            struct Scope: Decodable {
                struct Name: Decodable { let name: String }
                let scope: Name
                let spans: [ExportedSpan]
            }
            let resource: Content
            let scopeSpans: [Scope]
        }
        let resourceSpans: [Resource]
    }

    package let traceId: String
    package let spanId: String
    package let parentSpanId: String?
    package let name: String
    package let kind: Int
    package let flags: UInt32
    package let startTimeUnixNano: String
    package let endTimeUnixNano: String
    package let attributes: [Attribute]
    package let status: Status?

    /// The attributes as texts.
    package var texts: [String: String] {
        Dictionary(attributes.map { ($0.key, $0.value.stringValue ?? $0.value.intValue ?? "") }) { $1 }
    }

    /// Reads the body of an export.
    /// - Throws: if it violates a rule of the protocol.
    package static func read(_ body: Data) throws -> [ExportedSpan] {
        let request = try JSONDecoder().decode(Request.self, from: body)
        let spans = request.resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans)
        for resource in request.resourceSpans {
            guard resource.resource.attributes.contains(where: { $0.key == "service.name" }) else {
                throw ConformanceFailure("no service.name")
            }
        }
        for span in spans {
            guard isID(span.traceId, 32), isID(span.spanId, 16), span.parentSpanId.map({ isID($0, 16) }) ?? true else {
                throw ConformanceFailure("malformed id in \(span)")
            }
            guard let start = UInt64(span.startTimeUnixNano), let end = UInt64(span.endTimeUnixNano), start <= end,
                start > 0
            else { throw ConformanceFailure("malformed time in \(span)") }
            guard !span.name.isEmpty, (1...5).contains(span.kind), (0...2).contains(span.status?.code ?? 0),
                Set(span.attributes.map(\.key)).count == span.attributes.count
            else { throw ConformanceFailure("malformed span \(span)") }
        }
        return spans
    }

    private static func isID(_ text: String, _ length: Int) -> Bool {
        text.wholeMatch(of: /[0-9a-f]+/) != nil && text.utf8.count == length && text.contains { $0 != "0" }
    }
}
