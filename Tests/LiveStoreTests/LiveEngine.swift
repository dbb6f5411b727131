import PhotolalaTesting
import Testing

/// Starts one SeaweedFS for all contained suites and stops it at their end, whether they succeed or fail.
struct LiveEngine: SuiteTrait, TestScoping {
    @TaskLocal private static var shared: SeaweedFS?

    /// The running engine.
    static var current: SeaweedFS { get throws { try #require(shared) } }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await SeaweedFS.run { server in
            // Otherwise, accounts that tests write directly would look like those of a store that lost its manifest.
            _ = try await TestService.make(store: server.store())
            try await Self.$shared.withValue(server) { try await function() }
        }
    }
}

/// All tests that run against a real engine.
@Suite(
    "Against SeaweedFS",
    .disabled("SKIP_LIVE=1: nothing is proved against a real engine") { SeaweedFS.isSkipped },
    .enabled("scripts/install-seaweedfs installs the engine") { SeaweedFS.isInstalled },
    LiveEngine()
)
enum AgainstSeaweedFS {}
