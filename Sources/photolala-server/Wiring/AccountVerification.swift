import ServiceLifecycle

/// Ends the server if the account database is damaged.
struct AccountVerification: Service {
    let result: Task<Void, any Error>

    func run() async throws {
        try await result.value
        try await gracefulShutdown()
    }
}
