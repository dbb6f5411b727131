import Hummingbird
import Traces
import Tracing

/// Makes a request a span if it is recorded or in the trace of its caller. The trace's id becomes the request's id.
struct RequestTracing: RouterMiddleware {
    typealias Context = ServerContext

    let tracer: ServiceTracer

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let span = tracer.startRequest(request.headers) else { return try await next(request, context) }
        var context = context
        context.requestID = span.trace.traceID
        return try await ServiceContext.$current.withValue(span.context) {
            let response = try await next(request, context)
            span.endRequest(
                route: context.endpointPath, method: request.method, status: Int(response.status.code))
            return response
        }
    }
}
