import PhotolalaTesting
import Testing

/// Starts one SeaweedFS for all the suites within, and stops it at their end, whatever became of them.
struct LiveEngine: SuiteTrait, TestScoping {
    @TaskLocal private static var shared: SeaweedFS?

    /// The engine that runs.
    static var current: SeaweedFS { get throws { try #require(shared) } }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await SeaweedFS.run { server in
            // Accounts that tests write themselves would otherwise look like those of a store that lost its stamp.
            _ = try await TestService.make(store: server.store())
            try await Self.$shared.withValue(server) { try await function() }
        }
    }
}

/// All that runs against a real engine.
@Suite(
    "Against SeaweedFS",
    .disabled("SKIP_LIVE=1: nothing is proved against a real engine") { SeaweedFS.isUnwanted },
    .enabled("scripts/install-seaweedfs installs the engine") { SeaweedFS.isInstalled },
    LiveEngine()
)
enum AgainstSeaweedFS {}
