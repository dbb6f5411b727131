import HTTPTypes
import Hummingbird

/// One line for each request, and the request's id in its answer. Paths are logged as routes, without parameters;
/// headers, queries and bodies never.
struct RequestLog: RouterMiddleware {
    typealias Context = ServerContext

    private static let requestID = HTTPField.Name("X-Request-ID")

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        var response = try await next(request, context)
        let elapsed = (clock.now - start).components
        let milliseconds = elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000
        // Whatever is answered to HEAD, an error too, has no body: the next answer would begin in it.
        if request.method == .head { response = response.createHeadResponse() }
        if let name = Self.requestID { response.headers[name] = context.requestID }
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
