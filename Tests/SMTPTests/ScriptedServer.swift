import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PhotolalaTesting
import Synchronization

@testable import SMTP

/// A server that answers each line with the next text of a script, and records the lines.
final class ScriptedServer: Sendable {
    /// What the server does after a line.
    enum Step: Sendable {
        /// Sends lines; each text may have several.
        case send(String)
        /// Sends lines and begins TLS.
        case startTLS(String)
        /// Waits for the lines of a message, up to the dot, and sends lines.
        case message(String)
        case close
        case nothing
    }

    private let received = Mutex<[String]>([])

    /// The lines that clients have sent.
    var lines: [String] { received.withLock { $0 } }

    /// Runs a server and calls a closure with its port.
    static func with<Result: Sendable>(
        tls: NIOSSLContext? = nil, isImplicit: Bool = false, _ steps: [Step],
        _ body: (ScriptedServer, Int) async throws -> Result
    ) async throws -> Result {
        let server = ScriptedServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if isImplicit, let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(server, steps, tls))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(server, channel.localAddress?.port ?? 0)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: ScriptedServer
        private var steps: ArraySlice<Step>
        private let tls: NIOSSLContext?
        private var text = ""

        init(_ server: ScriptedServer, _ steps: [Step], _ tls: NIOSSLContext?) {
            (self.server, self.steps, self.tls) = (server, steps[...], tls)
        }

        func channelActive(context: ChannelHandlerContext) { next(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            while let end = text.firstRange(of: "\r\n") {
                let line = String(text[..<end.lowerBound])
                text = String(text[end.upperBound...])
                server.received.withLock { $0.append(line) }
                if case .message? = steps.first, line != "." { continue }
                next(context)
            }
        }

        private func next(_ context: ChannelHandlerContext) {
            switch steps.popFirst() {
            case .send(let lines)?, .message(let lines)?: send(lines, context)
            case .startTLS(let lines)?:
                send(lines, context)
                if let tls {
                    try? context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
                }
            case .close?: context.close(promise: nil)
            case .nothing?, nil: break
            }
        }

        private func send(_ lines: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "\(lines)\r\n")), promise: nil)
        }
    }
}

/// The certificate of a test server, for 127.0.0.1 and localhost.
struct ServerIdentity {
    let context: NIOSSLContext
    let certificate: NIOSSLCertificate

    init() throws {
        let folder = try TemporaryFolder()
        let files = TestTLSFiles(in: URL(filePath: folder.path), now: Date())
        certificate = try NIOSSLCertificate(bytes: Array(try files.write().utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(try Data(contentsOf: files.key)), format: .pem)
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }
}
