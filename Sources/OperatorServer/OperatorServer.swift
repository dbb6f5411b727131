import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import Monitoring
import NIOCore

/// Builds the operators' HTTP server, which has a listener of its own.
/// - Parameters:
///   - host: the address to listen on.
///   - onServerRunning: called with the listening channel, which provides the port.
package func buildOperatorServer(
    host: String, port: Int, metrics: MetricRegistry, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.get("/metrics") { _, _ in
        Response(
            status: .ok,
            headers: [
                .contentType: MetricRegistry.prometheusMediaType, .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.prometheusText())))
    }
    return Application(
        router: router,
        server: .limited(
            ConnectionLimits(
                connections: 100, connectionsPerAddress: 0, isProxy: { _ in false }, headerBytes: 16 << 10,
                headerFields: 100, idleTime: .seconds(60), minimumBodyRate: .entireBody(within: .seconds(30)))),
        configuration: .init(address: .hostname(host, port: port)), onServerRunning: onServerRunning, logger: logger)
}
