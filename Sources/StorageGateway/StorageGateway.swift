import Foundation
import Hummingbird
import Logging
import NIOCore
import ObjectStorage
import Secrets
import StorageAccess

/// The S3 endpoint of one machine as a service to run.
/// - Parameter onServerRunning: told the listening channel, which knows the port.
package func buildStorageGateway(
    settings: StorageGatewaySettings, store: any ObjectStore, keyRing: KeyRing, sessions: any StorageSessionCheck,
    now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let responder = GatewayResponder(
        settings: settings, store: store, keyRing: keyRing, sessions: sessions, now: now, randomness: randomness,
        logger: logger
    )
    let refusedBodyLimit = 1 << 20
    return Application(
        responder: responder,
        server: .http1(
            configuration: .init(
                additionalChannelHandlers: [EarlyAnswerHandler(patience: refusedBodyLimit)],
                idleTimeout: .seconds(settings.idleTimeout),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: settings.maxHeaderSize, maxHeaderListSize: settings.maxHeaderSize,
                    maxHeaderFieldCount: 200
                )
            )
        ),
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: "Photolala"
        ),
        onServerRunning: onServerRunning, logger: logger
    )
}
