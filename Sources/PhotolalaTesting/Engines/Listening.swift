import Logging
import NIOCore
import ServiceLifecycle

/// Runs a listening service for the duration of `body`.
///
/// The service is then shut down gracefully and not cancelled: cancellation drops connections that are accepted but not
/// yet registered, on which NIO terminates the process.
/// - Parameters:
///   - service: Creates the service, which calls `isUp` once it listens.
///   - body: Receives the port.
/// - Throws: The errors of `body`, and those that prevent the service from listening.
package func withListening<Result>(
    _ service: (_ isUp: @escaping @Sendable (any Channel) async -> Void) throws -> any Service,
    _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let service = try service { channel in port.yield(channel.localAddress?.port ?? 0) }
    var configuration = ServiceGroupConfiguration(
        services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    // The time to wait for clients that do not finish their requests.
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
