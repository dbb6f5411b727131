import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Makes a response that is sent before its request has ended, or to an invalid request, the last one of its
/// connection. A part of the remaining input is read for a short time, so that the response is not lost to a
/// connection reset, and no request gets two responses.
final class EarlyResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Phase { case open, finalResponse, lingering }

    private let limits: ConnectionLimits
    private var phase = Phase.open
    /// The number of unfinished responses, one per request.
    private var pendingResponses = 0
    private var requestIsOpen = false
    private var requestIsLast = false
    /// Further input is discarded.
    private var inputIsOver = false
    private var inputHasFailed = false
    private var headWasTooLarge = false
    private var inputIsClosed = false
    private var discardedBytes = 0
    private var timer: Scheduled<Void>?

    init(limits: ConnectionLimits) { self.limits = limits }

    // MARK: Input

    func read(context: ChannelHandlerContext) {
        // After the last request nothing more is read: it would accumulate in the decoder.
        if inputIsOver, !requestIsOpen, phase != .lingering { return }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !inputIsOver else { return discard(part, context) }
        switch part {
        case .head(let head):
            pendingResponses += 1
            requestIsOpen = true
            requestIsLast = head.endsConnection
        case .body: break
        case .end:
            requestIsOpen = false
            inputIsOver = requestIsLast
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if phase == .lingering { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .dataReceivedInErrorState(_, let bytes)? = error as? ByteToMessageDecoderError {
            return discard(bytes.readableBytes, context)
        }
        guard !inputIsOver else { return }
        inputIsOver = true
        inputHasFailed = true
        // An invalid request gets a response too.
        if !requestIsOpen {
            pendingResponses += 1
            headWasTooLarge = error as? HTTPParserError == .headerOverflow
        }
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputIsClosed = true
            inputIsOver = true
            if phase == .lingering { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func discard(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let bytes): discard(bytes.readableBytes, context)
        case .end:
            requestIsOpen = false
            if phase == .lingering { context.close(promise: nil) }
        }
    }

    private func discard(_ count: Int, _ context: ChannelHandlerContext) {
        discardedBytes += count
        if discardedBytes > limits.lingerBytes { context.close(promise: nil) }
    }

    // MARK: Output

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase != .lingering else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.kind != .informational:
            // Only the newest request can be unfinished.
            if pendingResponses == 1, requestIsOpen || inputIsOver {
                phase = .finalResponse
                inputIsOver = true
                if headWasTooLarge { head.status = .requestHeaderFieldsTooLarge }
                head.headerFields[.connection] = "close"
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            pendingResponses -= 1
            if phase == .finalResponse {
                endResponses(context, data, promise)
            } else {
                context.write(data, promise: promise)
            }
        }
    }

    private func endResponses(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        phase = .lingering
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.linger(context) }
        context.write(data, promise: written)
    }

    private func linger(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        guard requestIsOpen || inputHasFailed, !inputIsClosed else {
            context.close(promise: nil)
            return
        }
        // The client sees the end of the response and may stop sending.
        context.close(mode: .output, promise: nil)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.lingerTime)) {
            context.close(promise: nil)
        }
        context.read()
    }
}
