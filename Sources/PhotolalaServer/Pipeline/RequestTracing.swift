import Hummingbird
import Traces
import Tracing

/// Makes each request a span, in the trace of its caller if it has one. The trace's id becomes the request's id.
struct RequestTracing: RouterMiddleware {
    typealias Context = ServerContext

    let tracer: ServiceTracer

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let span = tracer.startRequest(request.headers)
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
