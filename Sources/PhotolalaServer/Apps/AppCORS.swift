import HTTPTypes
import Hummingbird
import UseCases

/// Allows CORS requests to the OAuth endpoints from registered browser apps: origins that match an `https` redirect URI
/// of an app. Credentials are not allowed, because these endpoints ignore cookies. Runs before every middleware that
/// can reject a request, so that an app can read every error, including rate limit errors.
struct AppCORS: RouterMiddleware {
    typealias Context = ServerContext
    private let origins: Set<String>
    private let paths: Set<String>

    init(apps: [AppClient], paths: [String]) {
        self.paths = Set(paths)
        origins = Set(apps.flatMap(\.redirectURIs).compactMap(Self.origin))
    }

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard paths.contains(request.uri.path) else { return try await next(request, context) }
        let origin = request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
        if let origin, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return Response(
                status: .noContent,
                headers: [
                    .accessControlAllowOrigin: origin, .vary: "Origin", .accessControlAllowMethods: "POST",
                    .accessControlAllowHeaders: "Content-Type, DPoP", .accessControlMaxAge: "3000",
                ])
        }
        var response = try await next(request, context)
        if !origins.isEmpty { response.headers[.vary] = "Origin" }
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = "DPoP-Nonce, Retry-After"
        }
        return response
    }

    /// Returns the origin as browsers serialize it (RFC 6454 section 6.2): lower case, without the default port.
    private static func origin(of uri: String) -> String? {
        guard uri.hasPrefix("https://") else { return nil }
        let authority = uri.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }.lowercased()
        return "https://\(authority.hasSuffix(":443") ? String(authority.dropLast(4)) : authority)"
    }
}
