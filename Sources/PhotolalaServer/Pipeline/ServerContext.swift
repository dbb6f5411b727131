import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides its message.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the connection; behind a proxy, the proxy.
    let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }

    /// The id under which the log and the answer name this request.
    var requestID: String { id }
}
