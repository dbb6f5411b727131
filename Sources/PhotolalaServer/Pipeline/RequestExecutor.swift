import Hummingbird

/// Chooses the threads that answer a request. Calls of accounts and sessions stay on the event loop of their connection,
/// which saves two changes of thread. All others leave it: they may decode a catalog or hash a password, and would delay
/// the other connections of the loop.
struct RequestExecutor: RouterMiddleware {
    typealias Context = ServerContext

    /// The paths of calls that compute for less than about a millisecond.
    private static let shortCalls = ["/auth/", "/users/", "/health/"]

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if Self.shortCalls.contains(where: request.uri.path.hasPrefix) { return try await next(request, context) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await next(request, context) }
    }
}
