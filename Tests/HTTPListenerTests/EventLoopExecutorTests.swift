import Hummingbird
import HummingbirdTesting
import Logging
import NIOPosix
import Testing

@testable import HTTPListener

/// The threads of requests.
@Suite struct EventLoopExecutorTests {
    @Test("requests are answered on the connection's event loop if that is chosen", arguments: [false, true])
    func threads(onEventLoops: Bool) async throws {
        let limits = ConnectionLimits(
            headerBytes: 16 << 10, headerFields: 100, idleTime: .seconds(60),
            minimumBodyRate: .entireBody(within: .seconds(30)))
        let application = Application(
            responder: CallbackResponder { (_: Request, _: BasicRequestContext) in
                await Task.yield()
                let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
                return Response(status: .ok, body: .init(byteBuffer: .init(string: "\(isOnLoop)")))
            },
            server: .limited(limits, onEventLoops: onEventLoops), configuration: .init(address: .hostname(port: 0)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await application.test(.live) { client in
            for _ in 0..<3 {
                let response = try await client.execute(uri: "/", method: .get)
                #expect(String(buffer: response.body) == "\(onEventLoops)")
            }
        }
    }
}
