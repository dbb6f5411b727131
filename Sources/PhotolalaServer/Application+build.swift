import DevelopmentIdentityProvider
import HTTPListener
import Hummingbird
import Logging
import Monitoring
import NIOCore
import PhotolalaPortal
import Traces
import UseCases

/// Builds the HTTP server on top of the use cases: the JSON endpoints and the portal's pages.
/// - Parameters:
///   - development: The development providers; only in `dev`.
///   - tracer: `nil` if nothing is traced.
/// - Throws: If a page template is malformed.
package func buildServer(
    _ settings: ServerSettings, services: ServiceGraph, development: [DevelopmentProvider],
    tracer: ServiceTracer? = nil,
    logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) throws -> some ApplicationProtocol {
    let client = ClientAddress(trustedProxies: settings.trustedProxies)
    return Application(
        responder: try buildResponder(settings, services: services, development: development, tracer: tracer),
        server: .limited(
            ConnectionLimits(
                connections: settings.connections, connectionsPerAddress: settings.connectionsPerAddress,
                isProxy: { client.isTrusted($0) }, headerBytes: settings.headerLimit, headerFields: 100,
                idleTime: settings.idleTimeout,
                minimumBodyRate: .entireBody(within: settings.bodyTimeout)
            ), tls: settings.tls, onEventLoops: true
        ),
        configuration: .init(address: .hostname(settings.host, port: settings.port)),
        onServerRunning: onServerRunning, logger: logger
    )
}

/// Builds what answers the requests of the HTTP server, for requests from any source.
/// - Parameters:
///   - settings: Of them, what does not concern connections.
///   - development: The development providers; only in `dev`.
///   - tracer: `nil` if nothing is traced.
/// - Throws: If a page template is malformed.
package func buildResponder(
    _ settings: ServerSettings, services: ServiceGraph, development: [DevelopmentProvider],
    tracer: ServiceTracer? = nil
) throws -> RouterResponder<ServerContext> {
    let portal = try Portal(
        services: services, brand: settings.brand, publicURL: settings.publicURL, bodyLimit: settings.bodyLimit,
        development: development
    ) { error in
        let answer = ErrorMapping.errorResponse(to: error)
        return PortalError(
            status: answer.status, code: answer.code, retryAfter: answer.retryAfter, reason: answer.reason)
    }
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestExecutor())
    if let tracer { router.add(middleware: RequestTracing(tracer: tracer)) }
    router.add(
        middleware: RequestLog(
            timers: RequestTimers(services.metrics, of: ServiceMetric.requestDuration),
            accountHash: services.accountHash))
    router.add(middleware: DPoPNonceMiddleware(services: services))
    router.add(middleware: AppCORS(apps: services.apps, paths: AppRoutes.paths))
    router.add(middleware: ErrorMapping())
    router.add(middleware: HostCheck(hosts: settings.hosts))
    if let secret = settings.pairingSecret { router.add(middleware: PairingCheck(secret: secret)) }
    router.add(middleware: portal.errors())
    let client = ClientAddress(trustedProxies: settings.trustedProxies)
    router.add(middleware: RateLimit(limits: services.limits, client: client))
    if let country = settings.country { router.add(middleware: RequestCountry(client: client, country: country)) }
    let exchange = JSONExchange(limit: settings.bodyLimit)
    let endpoints = Endpoints(
        router: router, services: services, exchange: exchange,
        credentials: RequestCredentials(publicURL: settings.publicURL)
    )
    endpoints.mountAPI(publicURL: settings.publicURL)
    DevelopmentRoutes(providers: development, exchange: exchange).mount(on: router)
    portal.mount(on: router)
    return router.buildResponder()
}

extension Endpoints {
    /// Mounts all routes of the API.
    func mountAPI(publicURL: String) {
        SignInRoutes().mount(on: self)
        SessionRoutes().mount(on: self)
        AccountRoutes().mount(on: self)
        ExportRoutes().mount(on: self)
        UserRoutes().mount(on: self)
        PictureRoutes().mount(on: self)
        SubscriptionRoutes().mount(on: self)
        UploadRoutes().mount(on: self)
        PhotoRoutes().mount(on: self)
        SharedLinkRoutes(publicURL: publicURL).mount(on: self)
        WebhookRoutes(publicURL: publicURL).mount(on: self)
        WellKnownRoutes().mount(on: self)
        AppRoutes(publicURL: publicURL).mount(on: self)
        rejectOtherMethods()
    }
}
