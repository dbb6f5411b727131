import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HTTPListener
@testable import PhotolalaServer

/// The threads that answer requests.
@Suite struct RequestExecutorTests {
    @Test(
        "only calls of accounts and sessions stay on the event loop",
        arguments: [
            ("/auth/signin", true), ("/users/x", true), ("/health/ready", true), ("/library", false), ("/links", false),
            ("/photos", false), ("/account/export", false), ("/authorize", false), ("/s/x", false),
        ])
    func threads(path: String, stays: Bool) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: path), body: .init(buffer: ByteBuffer()))
        let context = ServerContext(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, peer: nil)
        try await withTaskExecutorPreference(EventLoopExecutor(loop)) {
            let response = try await RequestExecutor().handle(request, context: context) { _, _ in
                Response(status: loop.inEventLoop ? .ok : .accepted)
            }
            #expect(response.status == (stays ? .ok : .accepted))
        }
    }
}
