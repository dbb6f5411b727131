import ServiceLifecycle

/// What the server does beside its requests, such as the calls to providers that this copy has just kept. What is left when
/// it stops is in the store.
struct BackgroundWork: Service {
    let act: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown(act)
    }
}
