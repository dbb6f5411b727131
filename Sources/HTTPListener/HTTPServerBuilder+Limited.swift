import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

extension HTTPServerBuilder {
    /// Creates an HTTP/1.1 server with connection limits.
    /// - Parameters:
    ///   - tls: the certificate; `nil` without TLS.
    ///   - onEventLoops: Whether each connection's requests are answered on its event loop. The responder must then leave
    ///     it for work that takes longer than about a millisecond.
    package static func limited(
        _ limits: ConnectionLimits, tls: TLSCertificate? = nil, onEventLoops: Bool = false
    ) -> HTTPServerBuilder {
        let counts = ConnectionCounts(limits)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionCountHandler(counts), BodyRateHandler(limits.minimumBodyRate),
                EarlyResponseHandler(limits: limits),
                StalledOutputHandler(patience: limits.idleTime), ClientPresenceHandler(),
            ],
            idleTimeout: TimeAmount(limits.idleTime),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerFields
            )
        )
        return HTTPServerBuilder { responder in
            ListenerChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration), tls: tls,
                onEventLoops: onEventLoops)
        }
    }
}

extension Channel {
    /// Sends `100 Continue` (RFC 9110 section 10.1.1): clients that expect it otherwise delay their body for a second
    /// or more.
    package func sendContinue() async throws {
        try await writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
}
