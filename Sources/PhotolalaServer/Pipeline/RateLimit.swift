import Flows
import Hummingbird
import PhotolalaAPI
import PhotolalaPortal
import Transport

/// Holds clients to their limits by address: all their calls under `/auth` and to the OAuth endpoints, their browsers' trips
/// to providers, and elsewhere, by a limit of its own, calls with a token or a session's cookie. Calls that are refused
/// elsewhere count too, so that guessing at tokens and feigning providers' events ends as soon.
struct RateLimit: RouterMiddleware {
    typealias Context = ServerContext

    /// Where every call is counted.
    private static let calls: Set<Substring> = ["auth", "token", "revoke", "device_authorization"]
    /// Where a browser sets out to a provider and comes back, below pages that are only looked at.
    private static let trips: Set<Substring> = [
        "sign-in", "create-account", "callback", "authorize", "device", "prove",
    ]

    let limits: CallLimits
    let client: ClientAddress

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let area = Self.area(request.uri.path)
        let isCounted =
            Self.calls.contains(area)
            || Self.trips.contains(area) && (request.method == .post || Self.isBelow(request.uri.path))
        let isSignedIn = request.headers[.authorization] != nil || Portal.hasSessionCookie(request)
        guard isCounted || isSignedIn || area == "webhooks" else { return try await next(request, context) }
        let party = ClientParty(client.resolve(request, context))
        guard !isCounted else {
            var context = context
            do throws(FlowError) { try limits.take(party) } catch {
                // The form says how an OAuth client must be answered; see `AppRoutes`.
                guard AppRoutes.isPath(request.uri.path) else { throw error }
                context.limitRefusal = error
            }
            return try await next(request, context)
        }
        if isSignedIn { try limits.takeSignedIn(party) }
        // Refusals of other clients of the address do not count against a good token; an event is not even read of who feigned many. Facebook's come
        // from its own addresses, also those of strangers' apps that name our address, and cost one HMAC to check.
        if area == "webhooks", provider(in: request.uri.path) != .facebook { try limits.checkRefusals(party) }
        do {
            return try await next(request, context)
        } catch {
            guard ErrorMapping.answer(to: error).isRefusal else { throw error }
            try limits.checkRefusals(party)
            limits.takeRefused(party)
            throw error
        }
    }

    /// The provider that a webhook's path names.
    private func provider(in path: String) -> ProviderName? {
        path.split(separator: "/").dropFirst().first.flatMap { ProviderName(String($0)) }
    }

    private static func isBelow(_ path: String) -> Bool { path.split(separator: "/").count > 1 }

    /// The first segment, as the router sees it: `//auth/…` is the same path to it.
    private static func area(_ path: String) -> Substring { path.drop { $0 == "/" }.prefix { $0 != "/" } }
}

extension ErrorAnswer {
    /// Whether who called could not show that they may. To be asked for a fresh nonce is none.
    fileprivate var isRefusal: Bool { status == .unauthorized && code != .useDPoPNonce || code == .invalidEvent }
}

extension ClientParty {
    init(_ address: IPAddress?) {
        if let address, address.width == 128 {
            self.init(ipv6: address.value)
        } else {
            self.init(ipv4: address.map { UInt32(truncatingIfNeeded: $0.value) })
        }
    }
}
