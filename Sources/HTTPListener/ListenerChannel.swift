import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// Hummingbird's HTTP/1 channel, with TLS if there is a certificate, and a handler that needs the HTTP version of requests.
struct ListenerChannel: ServerChildChannel {
    let base: HTTP1Channel
    let tls: TLSCertificate?
    let onEventLoops: Bool

    private static let handshakeTimeout = TimeAmount.seconds(10)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let tls else { return }
            try channel.pipeline.syncOperations.addHandlers(
                tls.makeHandler(), HandshakeTimeoutHandler(Self.handshakeTimeout))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(HTTP10Handler(), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let executor: any TaskExecutor =
            onEventLoops ? EventLoopExecutor(value.channel.eventLoop) : globalConcurrentExecutor
        await withTaskExecutorPreference(executor) { await base.handle(value: value, logger: logger) }
    }
}
