import Flows
import Hummingbird
import IdentityProviders
import Logging
import NIOCore

/// Builds the JSON server in front of the flows.
/// - Parameter development: the development providers, in `dev` only.
package func buildServer(
    _ settings: ServerSettings, services: Services, development: [DevelopmentProvider], logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let router = Router(context: ServerContext.self)
    router.add(middleware: RequestLog())
    router.add(middleware: ErrorMapping())
    router.add(
        middleware: RateLimit(
            callsPerMinute: settings.authCallsPerMinute,
            client: ClientAddress(trustedProxies: settings.trustedProxies), now: services.now
        )
    )
    let endpoints = Endpoints(
        router: router, services: services,
        exchange: JSONExchange(limit: settings.bodyLimit, timeout: settings.bodyTimeout)
    )
    SignInRoutes().mount(on: endpoints)
    SessionRoutes().mount(on: endpoints)
    AccountRoutes().mount(on: endpoints)
    UserRoutes().mount(on: endpoints)
    WellKnownRoutes().mount(on: endpoints)
    endpoints.refuseOtherMethods()
    DevelopmentRoutes(providers: development).mount(on: router)
    return Application(
        router: router,
        server: .http1(
            configuration: .init(
                idleTimeout: .nanoseconds(Int64(settings.idleTimeout / .nanoseconds(1))),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: settings.headerLimit, maxHeaderListSize: settings.headerLimit,
                    maxHeaderFieldCount: 100
                )
            )
        ),
        configuration: .init(address: .hostname(settings.host, port: settings.port)),
        onServerRunning: onServerRunning, logger: logger
    )
}
