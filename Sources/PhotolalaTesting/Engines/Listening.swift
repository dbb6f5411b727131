import Logging
import NIOCore
import ServiceLifecycle

/// Runs a service that listens for as long as `body` takes.
///
/// In the end it is asked to stop and not cancelled: a connection that was accepted and not taken yet would be dropped
/// unfinished, which NIO answers with the end of the process.
/// - Parameters:
///   - service: makes the service; calls what it gets once it listens.
///   - body: gets the port.
/// - Throws: what `body` throws, and what keeps the service from listening.
package func withListening<Result>(
    _ service: (_ isUp: @escaping @Sendable (any Channel) async -> Void) throws -> any Service,
    _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let service = try service { channel in port.yield(channel.localAddress?.port ?? 0) }
    var configuration = ServiceGroupConfiguration(
        services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    // A client that does not end its request is waited for so long.
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    let group = ServiceGroup(configuration: configuration)
    let running = Task {
        defer { port.finish() }
        try await group.run()
    }
    let result: Swift.Result<Result, any Error>
    do {
        var ports = ports.makeAsyncIterator()
        guard let port = await ports.next() else {
            await group.triggerGracefulShutdown()
            try await running.value
            throw ConformanceFailure("the service ended before it listened")
        }
        result = .success(try await body(port))
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    _ = await running.result
    return try result.get()
}
