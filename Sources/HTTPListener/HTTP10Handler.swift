import NIOCore
import NIOHTTP1

/// Supports the semantics of HTTP/1.0: the connection is closed after the response unless the client asks to keep it,
/// and a request without `Host` addresses the listener itself (RFC 9112 sections 3.3 and 9.3). Load balancers often
/// use it for health checks.
final class HTTP10Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if !head.headers.contains(name: "Host") {
            head.headers.add(name: "Host", value: context.localAddress?.ipAddress ?? "localhost")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
