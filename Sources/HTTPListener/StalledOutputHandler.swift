import NIOCore

/// Closes a connection whose client reads nothing of its responses for too long, so that unread responses cannot hold
/// it indefinitely. A slow client is not affected.
final class StalledOutputHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let timeout: TimeAmount
    private let unsent: (any Channel) -> Int
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: How long the number of unsent bytes may not decrease.
    ///   - unsent: Returns the number of unsent bytes.
    init(patience: Duration, unsent: @escaping (any Channel) -> Int = StalledOutputHandler.unsent) {
        self.timeout = TimeAmount(patience)
        self.unsent = unsent
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        if !context.channel.isWritable { check(context) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func check(_ context: ChannelHandlerContext) {
        let before = unsent(context.channel)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            if self.unsent(context.channel) < before {
                self.check(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private static func unsent(_ channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
