import HTTPTypes
import Hummingbird

/// One line for each request, and the request's id in its answer. Paths are logged as routes, without parameters;
/// headers, queries and bodies never.
struct RequestLog: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response = try await next(request, context)
        let elapsed = (clock.now - start).components
        let milliseconds = elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000
        if let name = HTTPField.Name("X-Request-ID") { response.headers[name] = context.requestID }
        response.headers[.xContentTypeOptions] = "nosniff"
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "-")",
                "status": .stringConvertible(response.status.code), "ms": .stringConvertible(milliseconds),
            ]
        )
        return response
    }
}
