import Foundation
import HTTPListener
import Hummingbird
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import Secrets
import StorageAccess
import Traces

/// Builds the S3 endpoint as a service to run.
/// - Parameters:
///   - tracer: `nil` if nothing is traced.
///   - onServerRunning: Called with the listening channel, which provides the port.
package func buildStorageGateway(
    settings: StorageGatewaySettings, store: any MeteredObjectStore, keyRing: KeyRing,
    sessions: any StorageSessionCheck, metrics: ServiceMetrics, tracer: ServiceTracer? = nil,
    now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let responder = GatewayResponder(
        settings: settings, store: store, keyRing: keyRing, sessions: sessions, metrics: metrics, tracer: tracer,
        now: now,
        randomness: randomness, logger: logger
    )
    let limits = ConnectionLimits(
        connections: settings.connections, connectionsPerAddress: settings.connectionsPerAddress,
        isProxy: settings.isProxy, headerBytes: settings.maxHeaderSize, headerFields: 200,
        idleTime: .seconds(settings.idleTimeout),
        minimumBodyRate: settings.minimumBodyRate
    )
    return Application(
        responder: responder, server: .limited(limits, tls: settings.tls, onEventLoops: true),
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: "Photolala"
        ),
        onServerRunning: onServerRunning, logger: logger
    )
}
