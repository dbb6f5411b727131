import HTTPTypes
import Hummingbird
import Logging
import Monitoring
import PhotolalaAPI
import Sessions

/// Logs one line per request, measures it, and adds the request id to the response. Logs routes without parameters and the
/// account's hash; never logs headers, queries or bodies.
struct RequestLog: RouterMiddleware {
    typealias Context = ServerContext

    let timers: RequestTimers
    /// Returns an account's name in the log. Called only for a line that is written.
    let accountHash: @Sendable (UserID) -> String?

    private static let requestID = HTTPField.Name("X-Request-ID")

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        let account = RequestAccount()
        var response = try await RequestAccount.$current.withValue(account) { try await next(request, context) }
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
            metadata: metadata(
                [
                    "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "-")",
                    "status": .stringConvertible(response.status.code), "ms": .stringConvertible(milliseconds),
                ], of: account.user)
        )
        return response
    }

    private func metadata(_ fields: Logger.Metadata, of user: UserID?) -> Logger.Metadata {
        guard let user, let hash = accountHash(user) else { return fields }
        var fields = fields
        fields["account"] = .string(hash)
        return fields
    }
}
