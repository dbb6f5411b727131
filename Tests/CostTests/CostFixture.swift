import AWSServices
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Secrets
import Testing
import UseCases

/// The service on the S3 adapter, with every request to S3 counted.
struct CostFixture: Sendable {
    let bucket: CountingBucket
    let store: S3ObjectStore
    let clock: TestClock
    let service: TestService
    /// Whether the operator's service receives events.
    let tellsEvents: Bool

    static let retry = RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })

    static func make(tellsEvents: Bool = false) async throws -> CostFixture {
        let clock = TestClock()
        let (bucket, store) = try makeStore(clock)
        return CostFixture(
            bucket: bucket, store: store, clock: clock, service: try await start(store, clock, tellsEvents),
            tellsEvents: tellsEvents)
    }

    /// Creates an empty bucket and its adapter.
    static func makeStore(_ clock: TestClock) throws -> (CountingBucket, S3ObjectStore) {
        let bucket = CountingBucket { clock.now }
        let settings = try #require(
            S3Settings(endpoint: "http://127.0.0.1:1", region: "us-east-1", bucket: "photolala-test"))
        let store = S3ObjectStore(
            settings: settings,
            credentials: StaticCredentials(AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")),
            transport: bucket, pause: Backoff(randomness: .seeded(1)) { _ in }, now: { clock.now }
        )
        return (bucket, store)
    }

    /// Starts another process on the bucket, as `photolala-server` does.
    func start() async throws -> TestService { try await Self.start(store, clock, tellsEvents) }

    private static func start(
        _ store: S3ObjectStore, _ clock: TestClock, _ tellsEvents: Bool
    ) async throws -> TestService {
        var options = TestService.Options()
        options.requiresChallenge = true
        options.allowsContinue = true
        if tellsEvents { options.eventReceiver = RecordingEventReceiver() }
        _ = try await ProviderRegistry(store: store, retry: retry).register([
            (name: .apple, issuers: ["https://appleid.apple.com"]),
            (name: .google, issuers: ["https://accounts.google.com"]),
        ])
        return try await TestService.make(options, store: store, clock: clock)
    }

    /// Advances the clock and runs the jobs that refresh an instance's caches.
    func pass(_ seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        try await service.naming.refresh()
    }

    /// Returns the S3 requests of an act.
    func count(_ act: () async throws -> Void) async throws -> CountingBucket.Counts {
        _ = bucket.drainCounts()
        try await act()
        return bucket.drainCounts()
    }
}
