import ServiceLifecycle

/// Background work of the server, such as calls to providers that this instance has just stored. Unfinished work
/// remains in the store.
package struct BackgroundWork: Service {
    private let act: @Sendable () async -> Void
    private let finish: @Sendable () async -> Void

    /// - Parameter finish: What is left to do when the server stops.
    package init(act: @escaping @Sendable () async -> Void, finish: @escaping @Sendable () async -> Void = {}) {
        (self.act, self.finish) = (act, finish)
    }

    /// Completes what is left to do at this moment, for a process that may be frozen at any time.
    package func complete() async { await finish() }

    package func run() async throws {
        await cancelWhenGracefulShutdown(act)
        await finish()
    }
}
