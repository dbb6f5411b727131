import ServiceLifecycle

/// Background work of the server, such as calls to providers that this instance has just stored. Unfinished work
/// remains in the store.
struct BackgroundWork: Service {
    let act: @Sendable () async -> Void
    /// What is left to do when the server stops.
    var finish: @Sendable () async -> Void = {}

    func run() async throws {
        await cancelWhenGracefulShutdown(act)
        await finish()
    }
}
