import NIOCore

/// Passes the replies of a server to the commands that wait for them, in order.
///
/// A reply that no command has asked for ends the connection, except the greeting: text before a `STARTTLS` must not
/// answer a command after it (RFC 3207 section 5, CVE-2011-0411).
final class SMTPReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The largest line, in bytes. RFC 5321 section 4.5.3.1.5 allows 512.
    private static let maximumLine = 4096

    private var unread = ByteBuffer()
    private var parser = SMTPReplyParser()
    private var waiting: EventLoopPromise<SMTPReply>?
    /// The greeting, or why the connection ended, before a command waits.
    private var arrived: Result<SMTPReply, SMTPError>?
    private var isGreeted = false

    /// Waits for the next reply. One at a time.
    func awaitReply(_ promise: EventLoopPromise<SMTPReply>) {
        switch arrived {
        case .success(let reply)?:
            arrived = nil
            promise.succeed(reply)
        case .failure(let error)?: promise.fail(error)
        case nil: waiting = promise
        }
    }

    /// Ends the waiting of a command, and of all later ones.
    func fail(_ error: SMTPError, _ context: ChannelHandlerContext?) {
        if case .failure? = arrived { return }
        arrived = .failure(error)
        waiting?.fail(error)
        waiting = nil
        context?.close(promise: nil)
    }

    /// - Throws: if the server has sent more than the replies so far.
    func requireNothingUnread() throws(SMTPError) {
        guard arrived == nil, unread.readableBytes == 0, !parser.isInReply else { throw .malformedReply }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unread.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            while let line = readLine() {
                if let reply = try parser.add(line) { try pass(reply) }
            }
            guard unread.readableBytes <= Self.maximumLine else { throw SMTPError.malformedReply }
        } catch {
            fail(.malformedReply, context)
        }
    }

    private func pass(_ reply: SMTPReply) throws(SMTPError) {
        if let waiting {
            (self.waiting, isGreeted) = (nil, true)
            waiting.succeed(reply)
        } else if !isGreeted, arrived == nil {
            (arrived, isGreeted) = (.success(reply), true)
        } else {
            throw .malformedReply
        }
    }

    /// Reads a line without its end.
    private func readLine() -> String? {
        guard let length = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")).map({ $0 - unread.readerIndex }),
            length <= Self.maximumLine, let line = unread.readString(length: length)
        else { return nil }
        unread.moveReaderIndex(forwardBy: 1)
        unread.discardReadBytes()
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.closed, nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(SMTPError(error), context)
    }
}
