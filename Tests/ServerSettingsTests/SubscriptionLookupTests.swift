import Accounts
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets
import Subscriptions
import Testing
import UseCases

@testable import ServiceWiring
@testable import photolala_server

/// `photolala-server subscription` finds a subscription without its environment.
@Suite struct SubscriptionLookupTests {
    private let store = MemoryObjectStore { Date(timeIntervalSince1970: 1_790_000_000) }
    private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_790_000_000) }

    private func lookup(
        _ environments: [AppStoreEnvironment], server: (any AppStoreServer)? = nil,
        accepted: [AppStoreEnvironment] = [.sandbox]
    ) async throws -> SubscriptionLookup {
        let keyRing = KeyRing(
            current: try #require(MasterKey(id: "test", bytes: [UInt8](repeating: 7, count: 32))), environment: "dev")
        let retry = RetryPolicy(backoff: Backoff(first: .milliseconds(1), randomness: .system) { _ in })
        let subscriptions = SubscriptionComponents(
            plan: TierPlan(), trial: nil, verifier: nil, server: server, environments: accepted, store: store,
            keyRing: keyRing, retry: retry, now: now, randomness: .system)
        let stamp = try await StoreManifest.check(
            store, retry: retry, environment: .dev, subjects: nil, keyRing: { keyRing }, now: now())
        let naming = try ManifestCache(stamp, readAt: now(), store: store, keyRing: keyRing, retry: retry, now: now)
        let accounts = AccountDirectory(
            store: store, naming: naming, keyRing: keyRing, retry: retry, now: now, randomness: .system, outbox: nil)
        return SubscriptionLookup(
            id: "2000", environments: environments, subscriptions: subscriptions,
            reconciler: SubscriptionReconciler(
                accounts: accounts, subscriptions: subscriptions, now: now,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    private static func transaction(_ environment: AppStoreEnvironment) throws -> AppStoreTransaction {
        func time(_ seconds: Double) throws -> AppStoreTime {
            try #require(AppStoreTime(milliseconds: (1_790_000_000 + seconds) * 1000))
        }
        return AppStoreTransaction(
            id: "2001", originalID: try #require(SubscriptionID(environment, "2000")), productID: "basic",
            purchasedAt: try time(0), expiresAt: try time(86_400), signedAt: try time(0))
    }

    private func record(_ environment: AppStoreEnvironment) async throws {
        let transaction = try Self.transaction(environment)
        try await lookup([environment]).reconciler.apply(
            SubscriptionFacts(transactions: [transaction], renewals: []), of: transaction.originalID)
    }

    @Test func `a sandbox subscription is found without an option, and the report names its environment`() async throws
    {
        try await record(.sandbox)
        let report = try await lookup(AppStoreEnvironment.allCases).report()
        #expect(report.hasPrefix("subscription 2000, Sandbox\n"))
        #expect(!report.contains("Production"))
    }

    @Test func `records in two environments are both reported`() async throws {
        try await record(.sandbox)
        try await record(.production)
        let report = try await lookup(AppStoreEnvironment.allCases).report()
        #expect(report.contains("subscription 2000, Production\n"))
        #expect(report.contains("subscription 2000, Sandbox\n"))
    }

    @Test func `the error for an unknown subscription names the searched environments`() async throws {
        try await record(.production)
        let problem = await #expect(throws: StartProblem.self) { try await lookup([.sandbox]).report() }
        #expect(problem?.description == "subscription not found: no record of 2000 in Sandbox")
    }

    @Test
    func `a refresh queries the accepted environments and skips those without the subscription`()
        async throws
    {
        let apple = AppleKnowing(.sandbox)
        let both = try await lookup(AppStoreEnvironment.allCases, server: apple, accepted: [.production, .sandbox])
        try await both.refresh()
        #expect(try await both.report().hasPrefix("subscription 2000, Sandbox\n"))
        let production = try await lookup(AppStoreEnvironment.allCases, server: apple, accepted: [.production])
        let problem = await #expect(throws: StartProblem.self) { try await production.refresh() }
        #expect(problem?.description == "subscription not found: 2000 is unknown to Apple in Production")
    }

    /// Apple's server with one subscription in one environment.
    private struct AppleKnowing: AppStoreServer {
        let environment: AppStoreEnvironment

        init(_ environment: AppStoreEnvironment) { self.environment = environment }

        func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts {
            SubscriptionFacts(transactions: try await history(of: id), renewals: [])
        }

        func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction] {
            guard id.environment == environment, let known = try? transaction(environment) else { throw .notFound }
            return [known]
        }

        func missedNotifications(
            _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
        ) async throws(AppStoreServerError) -> MissedNotifications {
            MissedNotifications(notifications: [], invalid: [], next: nil)
        }

        func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError) {}
    }
}
