import NIOCore

/// Ends a connection whose client takes nothing of its answers for too long: asking for much and reading none of it must
/// not hold it for ever. A client that takes them slowly is waited for.
final class StalledOutputHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let patience: TimeAmount
    private let unsent: (any Channel) -> Int
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: how long nothing may be taken of what waits to be sent.
    ///   - unsent: how many bytes wait to be sent.
    init(patience: Duration, unsent: @escaping (any Channel) -> Int = StalledOutputHandler.unsent) {
        self.patience = TimeAmount(patience)
        self.unsent = unsent
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        if !context.channel.isWritable { look(context) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func look(_ context: ChannelHandlerContext) {
        let before = unsent(context.channel)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            if self.unsent(context.channel) < before {
                self.look(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private static func unsent(_ channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
