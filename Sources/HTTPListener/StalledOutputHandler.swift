import NIOCore

/// Ends a connection whose client has not taken its answers for too long: asking for much and reading nothing must not
/// hold it for ever.
final class StalledOutputHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let patience: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter patience: how long what waits to be sent may stay more than the channel wants to hold.
    init(patience: Duration) { self.patience = TimeAmount(patience) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        timer =
            context.channel.isWritable
            ? nil : context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
