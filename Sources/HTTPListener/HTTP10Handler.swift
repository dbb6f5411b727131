import NIOCore
import NIOHTTP1

/// Lets HTTP/1.0 requests mean what they meant: the connection ends behind the answer unless the client asks to keep it,
/// and without `Host` it is the listener's own address that is asked (RFC 9112 sections 3.3 and 9.3). Health checks of
/// load balancers are often such.
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
