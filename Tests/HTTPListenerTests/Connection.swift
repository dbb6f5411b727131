import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import HTTPListener

/// A connection with its own clock, and recorders on the client's and the server's side.
final class Connection {
    let channel: EmbeddedChannel
    private let wire = Wire()
    private let server = Server()

    init(_ limits: ConnectionLimits) throws {
        channel = EmbeddedChannel(handlers: [
            wire, BodyRateHandler(limits.minimumBodyRate), EarlyResponseHandler(limits: limits), server,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    var isClosed: Bool { wire.isClosed }
    var isHalfClosed: Bool { wire.isHalfClosed }
    /// The number of reads that the server has requested.
    var reads: Int { wire.reads }
    var heard: [HTTPRequestPart] { server.heard }
    var errors: [any Error] { server.errors }
    var answers: [HTTPResponse] {
        get throws { try written().compactMap { if case .head(let head) = $0 { head } else { nil } } }
    }

    private var sent: [HTTPResponsePart] = []
    private func written() throws -> [HTTPResponsePart] {
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) { sent.append(part) }
        return sent
    }

    func receive(_ parts: HTTPRequestPart...) {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
        channel.pipeline.read()
    }

    func receive(bytes count: Int) { receive(.body(ByteBuffer(repeating: 1, count: count))) }

    func fail(_ error: any Error) { channel.pipeline.fireErrorCaught(error) }

    func respond(_ status: HTTPResponse.Status) {
        channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: status)), promise: nil)
        channel.pipeline.write(HTTPResponsePart.end(nil), promise: nil)
        channel.pipeline.flush()
    }

    func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    /// The client's side, with half-closure.
    private final class Wire: ChannelDuplexHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        var isClosed = false
        var isHalfClosed = false
        var reads = 0

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output {
                isHalfClosed = true
                promise?.succeed()
            } else {
                isClosed = true
                context.close(mode: mode, promise: promise)
            }
        }
    }

    private final class Server: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var heard: [HTTPRequestPart] = []
        var errors: [any Error] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard.append(unwrapInboundIn(data)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append(error) }
    }
}

extension HTTPRequestPart {
    static func head(_ method: HTTPRequest.Method, _ fields: HTTPFields = [:]) -> HTTPRequestPart {
        .head(HTTPRequest(method: method, scheme: "http", authority: "h", path: "/", headerFields: fields))
    }
}
