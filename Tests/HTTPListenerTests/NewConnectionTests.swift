import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import HTTPListener

/// New connections while requests occupy all threads of the global executor, as pages of large libraries do.
@Suite struct NewConnectionTests {
    @Test("a new connection is answered while 100 requests occupy the threads that compute")
    func whilePagesCompute() async throws {
        let pages = Pages()
        let answer = try await serving(pages) { port in await pages.answerWhileHeld(port: port, requests: 100) }
        #expect(answer?.hasPrefix("HTTP/1.1 202 ") == true)
    }

    /// Runs a closure with the port of a listener.
    private func serving<Value: Sendable>(
        _ pages: Pages, _ body: @escaping @Sendable (Int) async -> Value
    ) async throws -> Value {
        let limits = ConnectionLimits(
            headerBytes: 16 << 10, headerFields: 100, idleTime: .seconds(60),
            minimumBodyRate: .entireBody(within: .seconds(30)))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                guard request.uri.path == "/page" else { return Response(status: .accepted) }
                await withTaskExecutorPreference(globalConcurrentExecutor) { pages.hold() }
                return Response(status: .ok)
            },
            server: .limited(limits, onEventLoops: true), configuration: .init(address: .hostname(port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let listener = Listener(server, at: "127.0.0.1:0", setting: "--listen")
        let group = ServiceGroup(configuration: .init(services: [listener], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { port.finish() }
                try await group.run()
            }
            var all = ports.makeAsyncIterator()
            let found = try #require(await all.next())
            let value = await body(found)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        }
    }

    /// Requests that keep their threads until a client, which uses none of these threads, has its answer.
    private final class Pages: Sendable {
        private let started = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        /// Blocks the thread of a request.
        func hold() {
            started.signal()
            ended.wait()
        }

        /// Returns the answer to a new connection, `nil` if there is none, while requests hold as many threads as the
        /// global executor has.
        func answerWhileHeld(port: Int, requests: Int) async -> String? {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let clients = (0..<requests).compactMap { _ in try? Client(port, "/page") }
                    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { self.started.wait() }
                    let answer = try? Client(port, "/health/live").answer()
                    for _ in 0..<requests { self.ended.signal() }
                    for client in clients { _ = try? client.answer() }
                    continuation.resume(returning: answer)
                }
            }
        }
    }

    /// A connection with one request, for a thread that may block.
    private struct Client {
        /// How long an answer may take before the test fails.
        private static let patience = TimeAmount.seconds(30)
        private let received: EventLoopFuture<String>

        init(_ port: Int, _ path: String) throws {
            let group = MultiThreadedEventLoopGroup.singleton
            let answer = group.next().makePromise(of: String.self)
            answer.futureResult.eventLoop.scheduleTask(in: Self.patience) { answer.fail(CancellationError()) }
            let channel = try ClientBootstrap(group: group).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FirstBytes(answer))
                }
            }.connect(host: "127.0.0.1", port: port).wait()
            let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            try channel.writeAndFlush(ByteBuffer(string: request)).wait()
            received = answer.futureResult
        }

        func answer() throws -> String { try received.wait() }
    }

    private final class FirstBytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let answer: EventLoopPromise<String>

        init(_ answer: EventLoopPromise<String>) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            answer.succeed(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
    }
}
