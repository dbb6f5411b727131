import HTTPListener
import HTTPTypes
import Hummingbird

/// Rejects requests without exactly one host and requests for a host that is not served here.
struct HostCheck: RouterMiddleware {
    typealias Context = ServerContext

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard request.head.hasSingleHost else {
            throw InvalidRequest(explanation: "Send exactly one Host header.")
        }
        guard request.head.isAddressed(oneOf: hosts) else { throw HTTPError(.misdirectedRequest) }
        return try await next(request, context)
    }
}
