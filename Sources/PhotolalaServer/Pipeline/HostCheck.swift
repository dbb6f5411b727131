import HTTPListener
import HTTPTypes
import Hummingbird

/// Refuses a request that does not name one host.
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard request.head.namesOneHost else {
            throw InvalidRequest(explanation: "A request names its host in one Host header.")
        }
        return try await next(request, context)
    }
}
