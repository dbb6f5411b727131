import PhotolalaAPI
import Traces
import Tracing
import Transport

/// A transport whose requests are spans until the response's header. Outside of a trace each starts one.
struct TracedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let tracer: ServiceTracer?
    private let name: String
    private let provider: ProviderName?

    /// - Parameters:
    ///   - tracer: `nil` if nothing is traced.
    ///   - name: what the requests are for. The URL is not recorded.
    ///   - provider: the identity provider, if it is one.
    init(_ transport: any HTTPTransport, _ tracer: ServiceTracer?, name: String, provider: ProviderName? = nil) {
        (self.transport, self.tracer, self.name, self.provider) = (transport, tracer, name, provider)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await tracer.withSpan(name, startsTrace: true) { span throws(TransportError) in
            do throws(TransportError) {
                let response = try await transport.send(request)
                span?.record(request, provider, status: response.status)
                return response
            } catch {
                span?.record(request, provider, status: nil)
                throw error
            }
        }
    }
}

/// A transport that passes the current trace on, for services of the operator's own
/// (`docs/decisions/0130-send-traces-only-to-own-services.md`).
struct PropagatingTransport: HTTPTransport {
    private let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        TraceContext.injectCurrent(into: &request.headers)
        return try await transport.send(request)
    }
}

extension TraceSpan {
    fileprivate func record(_ request: TransportRequest, _ provider: ProviderName?, status: Int?) {
        var attributes = attributes
        attributes.set("http.request.method", value: .string(request.method.rawValue))
        if let provider { attributes.set("photolala.provider", value: .string("\(provider)")) }
        if let status { attributes.set("http.response.status_code", value: .int64(Int64(status))) }
        self.attributes = attributes
        if let status {
            if status >= 400 { fail("\(status)") }
        } else {
            fail("unreachable")
        }
    }
}
