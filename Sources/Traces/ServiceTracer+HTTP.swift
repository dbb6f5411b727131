import HTTPTypes
import Tracing

extension ServiceTracer {
    private static let traceparent = HTTPField.Name("traceparent")

    /// Starts the span of a request: in the trace of its caller, or in a new one that is recorded.
    /// - Returns: `nil` for a request without a caller's trace that is not to be recorded. It then costs one random number.
    package func startRequest(_ headers: HTTPFields) -> TraceSpan? {
        if let name = Self.traceparent, headers[name] != nil {
            var context = ServiceContext.topLevel
            extract(headers, into: &context, using: HTTPFieldsExtractor())
            if context.trace != nil { return start("HTTP", in: context, .server) }
        }
        return startRecordedTrace("HTTP", .server)
    }
}

extension TraceSpan {
    /// The methods that are told apart: a client can send any.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Ends the span of a request. It names the route and not the path, which may contain ids.
    /// - Parameter route: the pattern of the route, such as `/users/{id}`; `nil` if there is none.
    package func endRequest(route: String?, method: HTTPRequest.Method, status: Int) {
        guard isRecording else { return }
        let isKnown = Self.methods.contains(method.rawValue)
        operationName = [isKnown ? method.rawValue : "HTTP", route].compactMap(\.self).joined(separator: " ")
        var attributes = attributes
        attributes.set("http.request.method", value: .string(isKnown ? method.rawValue : "_OTHER"))
        if let route { attributes.set("http.route", value: .string(route)) }
        attributes.set("http.response.status_code", value: .int64(Int64(status)))
        self.attributes = attributes
        if status >= 500 { fail("\(status)") }
        end()
    }
}

/// Reads the header fields of a request. Repeated fields are joined by commas.
private struct HTTPFieldsExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
}

/// Adds header fields to a request.
private struct HTTPFieldsInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        if let name = HTTPField.Name(key) { fields[name] = value }
    }
}

extension TraceContext {
    /// Adds the current trace to a request that is sent.
    package static func injectCurrent(into fields: inout HTTPFields) {
        ServiceContext.current?.trace?.inject(into: &fields, using: HTTPFieldsInjector())
    }

    func inject<Carrier, Inject: Injector>(
        into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        injector.inject(traceparent, forKey: "traceparent", into: &carrier)
        if let state { injector.inject("\(state)", forKey: "tracestate", into: &carrier) }
    }
}
