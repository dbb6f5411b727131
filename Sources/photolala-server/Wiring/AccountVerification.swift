import ServiceLifecycle

/// Ends the server if the account database is damaged.
struct AccountVerification: Service {
    let result: Task<Void, any Error>
    /// Ends a running verification.
    let stop: @Sendable () -> Void

    func run() async throws {
        do {
            try await withGracefulShutdownHandler {
                try await result.value
            } onGracefulShutdown: {
                stop()
            }
        } catch {
            guard Task.isShuttingDownGracefully else { throw error }
            return
        }
        try await gracefulShutdown()
    }
}
