import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides its message.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id under which the log and the answer name this request.
    let requestID: String
    /// The other end of the connection; behind a proxy, the proxy.
    let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        peer = source.channel.remoteAddress
    }
}
