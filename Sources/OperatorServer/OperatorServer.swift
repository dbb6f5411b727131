import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import Monitoring
import NIOCore
import PhotolalaPortal
import Secrets
import UseCases

/// What the operators' listener serves.
package struct OperatorServerSettings: Sendable {
    /// The address to listen on.
    let address: BindAddress
    let hosts: AllowedHosts

    /// - Parameter hosts: the hosts that requests may name.
    package init(address: BindAddress, hosts: AllowedHosts) {
        (self.address, self.hosts) = (address, hosts)
    }
}

/// Builds the operators' HTTP server, which has a listener of its own: metrics, the operator API and its console.
/// - Parameters:
///   - history: the minutes that the console charts.
///   - onServerRunning: called with the listening channel, which provides the port.
/// - Throws: If a page template is malformed.
package func buildOperatorServer(
    _ settings: OperatorServerSettings, services: OperatorServices, jobs: JobOverview, metrics: MetricRegistry,
    history: MetricHistory, keyRing: KeyRing, randomness: Randomness, now: @escaping @Sendable () -> Date,
    logger: Logger, onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) throws -> some ApplicationProtocol {
    let router = Router(context: OperatorContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: OperatorProblems())
    router.add(middleware: OperatorHostCheck(hosts: settings.hosts))
    router.get("/metrics") { _, _ in
        Response(
            status: .ok,
            headers: [
                .contentType: MetricRegistry.prometheusMediaType, .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.prometheusText())))
    }
    OperatorAPI(services: services, jobs: jobs).mount(on: router)
    Console(
        services: services, jobs: jobs, history: history, pages: try Pages(brand: .standard, adding: Console.templates),
        sessions: ConsoleSessions(services: services, keyRing: keyRing, randomness: randomness, now: now)
    ).mount(on: router)
    rejectOtherMethods(of: router)
    return Application(
        router: router,
        server: .limited(
            ConnectionLimits(
                connections: 100, connectionsPerAddress: 0, isProxy: { _ in false }, headerBytes: 16 << 10,
                headerFields: 100, idleTime: .seconds(60), minimumBodyRate: .entireBody(within: .seconds(30)))),
        configuration: .init(address: settings.address),
        onServerRunning: onServerRunning, logger: logger)
}

/// Answers methods that a mounted path does not have with 405.
private func rejectOtherMethods(of router: Router<OperatorContext>) {
    for (path, routes) in Dictionary(grouping: router.routes, by: \.path.description) {
        let methods = PathMethods(routes.map(\.method))
        for method in methods.others {
            router.on(RouterPath(path), method: method) { _, _ -> Response in
                throw OperatorFailure.methodNotAllowed(methods.allowed)
            }
        }
    }
}

/// Refuses requests for a host that is not served here: with DNS rebinding, a page of another site could otherwise reach
/// this listener under its own name.
private struct OperatorHostCheck: RouterMiddleware {
    typealias Context = OperatorContext

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.head.isAddressed(oneOf: hosts) else { throw HTTPError(.misdirectedRequest) }
        return try await next(request, context)
    }
}
