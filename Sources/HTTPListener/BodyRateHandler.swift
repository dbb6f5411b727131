import NIOCore
import NIOHTTPTypes

/// Fails a body that arrives too slowly with an error to its reader.
final class BodyRateHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let minimumRate: MinimumBodyRate
    private var requestIsOpen = false
    private var isReading = false
    /// `nil` while the client waits for `100 Continue`.
    private var clock: BodyRateMonitor?
    private var timer: Scheduled<Void>?

    init(_ rate: MinimumBodyRate) { self.minimumRate = rate }

    func read(context: ChannelHandlerContext) {
        isReading = true
        if requestIsOpen { clock?.startWaiting(from: context.eventLoop.now) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        switch unwrapInboundIn(data) {
        case .head(let head):
            requestIsOpen = true
            clock = head.expectsContinue ? nil : BodyRateMonitor(minimumRate)
        case .body(let bytes):
            if clock == nil { clock = BodyRateMonitor(minimumRate) }
            clock?.stopWaiting(at: context.eventLoop.now)
            clock?.recordReceived(bytes.readableBytes)
        case .end: endRequest()
        }
        context.fireChannelRead(data)
    }

    /// A body that arrived together with its header is never timed.
    func channelReadComplete(context: ChannelHandlerContext) {
        if requestIsOpen { startTimer(context) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if requestIsOpen, clock == nil, case .head(let head) = unwrapOutboundIn(data), head.status == .continue {
            clock = BodyRateMonitor(minimumRate)
            if isReading { clock?.startWaiting(from: context.eventLoop.now) }
            startTimer(context)
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        endRequest()
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endRequest()
        context.fireChannelInactive()
    }

    private func endRequest() {
        requestIsOpen = false
        timer?.cancel()
        timer = nil
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        if timer == nil, clock != nil { scheduleCheck(in: TimeAmount(minimumRate.interval), context) }
    }

    private func scheduleCheck(in time: TimeAmount, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            if let next = self.clock?.check(at: context.eventLoop.now) {
                self.scheduleCheck(in: next, context)
            } else {
                self.endRequest()
                context.fireErrorCaught(BodyTooSlow())
            }
        }
    }
}
