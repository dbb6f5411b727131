import Hummingbird
import PhotolalaAPI
import PhotolalaPortal
import Transport
import UseCases

/// Limits requests per client address: all requests under `/auth` and to the OAuth endpoints, browser requests that
/// start or finish a provider sign-in, and, with a separate limit, all other requests with a token or a session cookie.
/// Rejected requests elsewhere also count, which limits guessing tokens and forging provider events.
struct RateLimit: RouterMiddleware {
    typealias Context = ServerContext

    /// Areas in which every request counts.
    private static let countedAreas: Set<Substring> = ["auth", "token", "revoke", "device_authorization"]
    /// Calls about a deletion that need no session and read the store.
    private static let deletionPaths: Set = [
        Route<DeletionUndo, EmptyBody>.undoDeletion.path,
        Route<DeletionReceiptRequest, DeletionStatus>.deletionReceipt.path, WellKnownRoutes.erasureKeys,
    ]
    /// Areas in which a browser starts or finishes a provider sign-in, or sends a code. GET requests for the top-level
    /// pages do not count.
    private static let browserAreas: Set<Substring> = [
        "sign-in", "create-account", "callback", "authorize", "device", "prove", "deletion",
    ]

    let limits: RateLimiter
    let client: ClientAddress

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let area = Self.area(request.uri.path)
        if area == SharedPages.area {
            let key = ClientRateLimitKey(client.resolve(request, context))
            // A password takes computing time, as a sign-in does.
            if SharedPages.isPassword(request) { try limits.consume(key) }
            try limits.consumeVisit(key)
            return try await next(request, context)
        }
        let isCounted =
            Self.countedAreas.contains(area)
            || ["account", ".well-known"].contains(area)
                && Self.deletionPaths.contains(Self.normalized(request.uri.path))
            || Self.browserAreas.contains(area) && (request.method == .post || Self.hasSubpath(request.uri.path))
        let isSignedIn =
            !isCounted && (request.headers[.authorization] != nil || Portal.hasSessionCookie(request))
        guard isCounted || isSignedIn || area == "webhooks" else { return try await next(request, context) }
        let key = ClientRateLimitKey(client.resolve(request, context))
        guard !isCounted else {
            var context = context
            do throws(ServiceError) { try limits.consume(key) } catch {
                // OAuth clients need an error in OAuth form; see `AppRoutes`.
                guard AppRoutes.isPath(request.uri.path) else { throw error }
                context.limitRefusal = error
            }
            return try await next(request, context)
        }
        if isSignedIn { try limits.consumeSignedIn(key) }
        // Rejections of other clients at the same address do not count against a valid token. Events are not read after
        // too many forged ones. Facebook is exempt: its events, including events of unrelated apps that name our URL,
        // come from Facebook's own addresses and cost one HMAC to check.
        if area == "webhooks", provider(in: request.uri.path) != .facebook { try limits.checkRefusals(key) }
        do {
            return try await next(request, context)
        } catch {
            guard ErrorMapping.errorResponse(to: error).isAuthenticationFailure else { throw error }
            try limits.checkRefusals(key)
            limits.countRefusal(key)
            throw error
        }
    }

    /// Returns the provider that a webhook path names.
    private func provider(in path: String) -> ProviderName? {
        path.split(separator: "/").dropFirst().first.flatMap { ProviderName(String($0)) }
    }

    private static func hasSubpath(_ path: String) -> Bool { path.split(separator: "/").count > 1 }

    /// Returns a path without empty segments, as the router reads it.
    private static func normalized(_ path: String) -> String { "/" + path.split(separator: "/").joined(separator: "/") }

    /// Returns the first path segment. Like the router, ignores empty segments such as in `//auth/…`.
    private static func area(_ path: String) -> Substring { path.drop { $0 == "/" }.prefix { $0 != "/" } }
}

extension ErrorResponse {
    /// Whether the caller failed to authenticate. A request for a new nonce does not count.
    fileprivate var isAuthenticationFailure: Bool {
        status == .unauthorized && code != .useDPoPNonce || code == .invalidEvent
    }
}

extension ClientRateLimitKey {
    init(_ address: IPAddress?) {
        if let address, address.width == 128 {
            self.init(ipv6: address.value)
        } else {
            self.init(ipv4: address.map { UInt32(truncatingIfNeeded: $0.value) })
        }
    }
}
