import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection whose request was answered before its body had come: a client that is refused must not send
/// gigabytes first, and one that never stops must not be listened to. A little of the rest is taken in, so that the
/// answer is not lost to a reset.
final class EarlyAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var bodyIsComing = false
    private var isClosing = false
    private var taken = 0
    private let patience: Int

    /// - Parameter patience: bytes of a refused body that are read and thrown away.
    init(patience: Int) { self.patience = patience }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: bodyIsComing = true
        case .body(let bytes):
            if isClosing {
                taken += bytes.readableBytes
                if taken > patience {
                    context.close(promise: nil)
                    return
                }
            }
        case .end:
            bodyIsComing = false
            if isClosing {
                context.close(promise: nil)
                return
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.kind != .informational, bodyIsComing else {
            context.write(data, promise: promise)
            return
        }
        isClosing = true
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
