import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import PhotolalaTesting
import ServiceLifecycle
import Testing

@testable import HTTPListener

/// Runs a listener on a Unix domain socket, and makes the files that it may find there.
struct SocketRunner: Sendable {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.subpath("operator.sock")
    }

    /// Runs a closure while the listener runs, and then ends the listener cleanly.
    /// - Throws: `ListenerError` if it cannot listen.
    func run(at other: String? = nil, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let limits = ConnectionLimits(
            connectionsPerAddress: 1, headerBytes: 16 << 10, headerFields: 100, idleTime: .seconds(60),
            minimumBodyRate: .entireBody(within: .seconds(30)))
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = Application(
            responder: CallbackResponder { (_: Request, _: BasicRequestContext) in Response(status: .ok) },
            server: .limited(limits), onServerRunning: { _ in started.yield() }, logger: logger)
        let listener = Listener(server, onSocket: other ?? path, setting: "operator.listen")
        let group = ServiceGroup(configuration: .init(services: [listener], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { started.finish() }
                try await group.run()
            }
            var all = starts.makeAsyncIterator()
            if await all.next() != nil {
                try await body()
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
    }

    /// Returns the reason why the listener does not start; `nil` if it does.
    func refusal(at other: String? = nil) async throws -> ListenerError? {
        do {
            try await run(at: other) {}
            return nil
        } catch let error as ListenerError {
            return error
        }
    }

    /// Listens at a path like another process.
    static func listen(at path: String, accepting: Bool = true) async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 1).serverChannelOption(.autoRead, value: accepting)
            .bind(unixDomainSocketPath: path).get()
    }

    /// Leaves a socket on which no process listens.
    static func leaveSocket(at path: String) async throws {
        let other = try await listen(at: path + "-")
        #expect(link(path + "-", path) == 0)
        // Closing deletes the file to which the socket was bound.
        try await other.close()
    }

    /// Returns type and mode of a file; `nil` if there is none.
    static func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }
}
