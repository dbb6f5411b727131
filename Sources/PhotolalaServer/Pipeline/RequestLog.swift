import HTTPTypes
import Hummingbird
import Monitoring

/// Logs one line per request, measures it, and adds the request id to the response. Logs routes without parameters; never logs
/// headers, queries or bodies.
struct RequestLog: RouterMiddleware {
    typealias Context = ServerContext

    let timers: RequestTimers

    private static let requestID = HTTPField.Name("X-Request-ID")

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response = try await next(request, context)
        let elapsed = clock.now - start
        timers.record(
            elapsed, route: context.endpointPath, method: request.method, status: Int(response.status.code))
        let milliseconds = elapsed.nanoseconds / 1_000_000
        // A response to HEAD, including an error, must have no body: the client would read it as the next response.
        if request.method == .head { response = response.createHeadResponse() }
        if let name = Self.requestID { response.headers[name] = context.requestID }
        response.headers[.xContentTypeOptions] = "nosniff"
        context.logger.info(
            .request, "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "-")",
                "status": .stringConvertible(response.status.code), "ms": .stringConvertible(milliseconds),
            ]
        )
        return response
    }
}
