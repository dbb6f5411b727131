import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Synchronization
import Testing
import UseCases

/// The use cases' requests to Apple's server.
@Suite struct AppleServerTests {
    /// Apple's server as simulated in tests.
    private final class Server: AppStoreServer {
        struct State {
            var facts = SubscriptionFacts(transactions: [], renewals: [])
            var missed: [AppStoreNotification] = []
            var spans: [ClosedRange<Date>] = []
            var tokens: [UserID] = []
            var isSilent = false
            /// The pages that Apple refuses with status 401; each page belongs to one of two apps.
            var refused: Set<String> = []
        }

        let state = Mutex(State())

        private func setFacts<Value: Sendable>(
            _ read: (inout sending State) -> sending Value
        ) throws(AppStoreServerError) -> Value {
            if state.withLock({ $0.isSilent }) { throw .unavailable("silence") }
            return state.withLock { read(&$0) }
        }

        func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts {
            try setFacts { $0.facts }
        }

        func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction] {
            try setFacts { $0.facts.transactions }
        }

        func missedNotifications(
            _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
        ) async throws(AppStoreServerError) -> MissedNotifications {
            try setFacts { state in
                state.spans.append(from...to)
                if state.refused.contains(page ?? "1") {
                    return MissedNotifications(
                        notifications: [], invalid: [], next: page == nil ? "2" : nil, refusal: .refused("status 401"))
                }
                if !state.refused.isEmpty {
                    return MissedNotifications(
                        notifications: environment == .sandbox ? state.missed : [], invalid: [],
                        next: page == nil ? "2" : nil)
                }
                let isFirst = page == nil
                let half = isFirst ? Array(state.missed.prefix(1)) : Array(state.missed.dropFirst())
                return MissedNotifications(
                    notifications: environment == .sandbox ? half : [], invalid: [],
                    next: isFirst && state.missed.count > 1 && environment == .sandbox ? "2" : nil)
            }
        }

        func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError) {
            try setFacts { $0.tokens.append(user) }
        }
    }

    private func open(_ server: Server) async throws -> SubscriptionFixture {
        try await SubscriptionFixture.make { $0.appStoreServer = server }
    }

    private func verified(_ fixture: SubscriptionFixture, _ purchase: TestPurchase) async throws -> AppStoreTransaction
    {
        try await fixture.appStore.verifier().transaction(try fixture.appStore.transaction(purchase))
    }

    @Test func `a presented purchase that Apple reports as refunded grants no tier`() async throws {
        let server = Server()
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        var purchase = fixture.purchase()
        let old = try fixture.appStore.transaction(purchase)
        fixture.clock.advance(by: 60)
        purchase.revokedAt = fixture.clock.now
        let refund = try await verified(fixture, purchase)
        server.state.withLock { $0.facts = SubscriptionFacts(transactions: [refund], renewals: []) }
        let response = try await fixture.services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: old), caller: try await fixture.refreshed(bob))
        #expect(response.tier == .free)
    }

    @Test func `if Apple does not respond, the presented purchase grants its tier`() async throws {
        let server = Server()
        server.state.withLock { $0.isSilent = true }
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        #expect(try await fixture.present(fixture.purchase(), bob).tier == .premium)
    }

    @Test func `the account is sent to Apple once, for a purchase that names none`() async throws {
        let server = Server()
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(), bob)
        try await fixture.present(fixture.purchase(), bob)
        try await fixture.present(fixture.purchase(TestAppStore.basic, "2", for: bob.user), bob)
        #expect(server.state.withLock { $0.tokens } == [bob.user])
    }

    @Test func `the daily job sends an account that could not be sent to Apple`() async throws {
        let server = Server()
        server.state.withLock { $0.isSilent = true }
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(), bob)
        server.state.withLock { $0.isSilent = false }
        try await fixture.services.usageCount.countUsage()
        try await fixture.services.usageCount.countUsage()
        #expect(server.state.withLock { $0.tokens } == [bob.user])
    }

    @Test func `missed notifications are fetched, starting at the end of the previous fetch`() async throws {
        let server = Server()
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        let first = fixture.purchase(for: bob.user)
        let next = first.renewed(id: "1001")
        let verifier = try fixture.appStore.verifier()
        let told = [
            try await verifier.notification(
                try fixture.appStore.notification(
                    "SUBSCRIBED", id: UUID(), transaction: try fixture.appStore.transaction(first))),
            try await verifier.notification(
                try fixture.appStore.notification(
                    "DID_RENEW", id: UUID(), transaction: try fixture.appStore.transaction(next))),
        ]
        server.state.withLock { $0.missed = told }
        let started = fixture.clock.now
        try await fixture.services.subscriptions.fetchMissedNotifications()
        #expect(try await fixture.tier(bob) == .premium)
        fixture.advance(days: 1)
        try await fixture.services.subscriptions.fetchMissedNotifications()
        let last = try #require(server.state.withLock { $0.spans.last })
        #expect(last == started.addingTimeInterval(-3600)...fixture.clock.now)
        fixture.advance(days: 40)
        #expect(try await fixture.tier(bob) == .premium, "the second page's renewal")
    }

    @Test func `a fetch that Apple does not response is not recorded, and the next one covers 30 days`() async throws {
        let server = Server()
        let fixture = try await open(server)
        server.state.withLock { $0.isSilent = true }
        await #expect(throws: ServiceError.unavailable("App Store Server API: unavailable(\"silence\")")) {
            try await fixture.services.subscriptions.fetchMissedNotifications()
        }
        server.state.withLock { $0.isSilent = false }
        fixture.advance(days: 10)
        try await fixture.services.subscriptions.fetchMissedNotifications()
        let first = try #require(server.state.withLock { $0.spans.first })
        #expect(first.lowerBound == fixture.clock.now.addingTimeInterval(-30 * 86_400))
    }

    @Test func `a notification that cannot be applied blocks no other and is fetched again`() async throws {
        let server = Server()
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        let (broken, whole) = (
            fixture.purchase(TestAppStore.basic, "2", for: bob.user), fixture.purchase(for: bob.user)
        )
        let verifier = try fixture.appStore.verifier()
        var told: [AppStoreNotification] = []
        for purchase in [broken, whole] {
            told.append(
                try await verifier.notification(
                    try fixture.appStore.notification(
                        "SUBSCRIBED", id: UUID(), transaction: try fixture.appStore.transaction(purchase))))
        }
        server.state.withLock { [told] in $0.missed = told }
        let record = ObjectKey(
            known: StorageLayout.subscription(environment: "sandbox", originalTransactionID: "2"))
        _ = try await fixture.service.store.put(record, ByteBuffer(string: "no record"), if: .always)
        let signedAt = fixture.clock.now
        fixture.clock.advance(by: 7200)
        await #expect(throws: ServiceError.internal("service/subscriptions/sandbox/2.json")) {
            try await fixture.services.subscriptions.fetchMissedNotifications()
        }
        #expect(try await fixture.tier(bob) == .premium)

        try await fixture.service.store.delete(record, if: .always)
        fixture.clock.advance(by: 60)
        try await fixture.services.subscriptions.fetchMissedNotifications()
        let last = try #require(server.state.withLock { $0.spans.last })
        #expect(last.lowerBound == signedAt.addingTimeInterval(-3600))
        let kept = try await fixture.keys(under: "service/subscriptions/sandbox/")
        #expect(kept.contains(record.description))
    }

    @Test func `a notification that can never be applied is fetched again for three days, regardless of its age`()
        async throws
    {
        let server = Server()
        let fixture = try await open(server)
        let told = try await fixture.appStore.verifier().notification(
            try fixture.appStore.notification(
                "SUBSCRIBED", id: UUID(), transaction: try fixture.appStore.transaction(fixture.purchase())))
        server.state.withLock { $0.missed = [told] }
        let record = ObjectKey(
            known: StorageLayout.subscription(environment: "sandbox", originalTransactionID: "1000"))
        _ = try await fixture.service.store.put(record, ByteBuffer(string: "no record"), if: .always)
        let signedAt = fixture.clock.now
        fixture.advance(days: 20)
        func asked() async throws -> Date {
            await #expect(throws: ServiceError.internal("service/subscriptions/sandbox/1000.json")) {
                try await fixture.services.subscriptions.fetchMissedNotifications()
            }
            return try #require(server.state.withLock { $0.spans.last }).lowerBound
        }
        _ = try await asked()
        for _ in 0..<2 {
            fixture.advance(days: 1.4)
            #expect(try await asked() == signedAt.addingTimeInterval(-3600))
        }
        fixture.advance(days: 1.4)
        let last = fixture.clock.now
        #expect(try await asked() == signedAt.addingTimeInterval(-3600), "the last attempt")
        fixture.advance(days: 1)
        #expect(try await asked() == last.addingTimeInterval(-3600))
    }

    @Test func `an app that Apple refuses blocks no other and is skipped after three days`() async throws {
        let server = Server()
        let fixture = try await open(server)
        let bob = try await fixture.person("bob")
        let told = try await fixture.appStore.verifier().notification(
            try fixture.appStore.notification(
                "SUBSCRIBED", id: UUID(), transaction: try fixture.appStore.transaction(fixture.purchase(for: bob.user))
            ))
        server.state.withLock { state in
            state.missed = [told]
            state.refused = ["1"]
        }
        let start = fixture.clock.now
        await #expect(throws: ServiceError.unavailable("App Store Server API: refused(\"status 401\")")) {
            try await fixture.services.subscriptions.fetchMissedNotifications()
        }
        #expect(try await fixture.tier(bob) == .premium)
        fixture.advance(days: 3.1)
        await #expect(throws: ServiceError.unavailable("App Store Server API: refused(\"status 401\")")) {
            try await fixture.services.subscriptions.fetchMissedNotifications()
        }
        let spans = server.state.withLock { $0.spans }
        #expect(spans.allSatisfy { $0.lowerBound <= start.addingTimeInterval(-30 * 86_400) })
        fixture.advance(days: 1)
        await #expect(throws: ServiceError.unavailable("App Store Server API: refused(\"status 401\")")) {
            try await fixture.services.subscriptions.fetchMissedNotifications()
        }
        let last = try #require(server.state.withLock { $0.spans.last })
        #expect(last.lowerBound == start.addingTimeInterval(3.1 * 86_400 - 3600))
    }

    @Test func `while Apple refuses all apps, no fetch is recorded`() async throws {
        let server = Server()
        let fixture = try await open(server)
        server.state.withLock { $0.refused = ["1", "2"] }
        for _ in 0..<3 {
            await #expect(throws: ServiceError.unavailable("App Store Server API: refused(\"status 401\")")) {
                try await fixture.services.subscriptions.fetchMissedNotifications()
            }
            fixture.advance(days: 4)
        }
        #expect(try await fixture.keys(under: "service/app-store/").isEmpty)
    }

    @Test func `an old purchase without an account does not take a subscription that names another account`()
        async throws
    {
        let server = Server()
        let fixture = try await open(server)
        let (bob, eve) = (try await fixture.person("bob"), try await fixture.person("eve", device: 2))
        let nameless = fixture.purchase()
        fixture.clock.advance(by: 60)
        let renewal = TestPurchase(
            TestAppStore.premium, id: "1001", originalID: "1000", at: fixture.clock.now, for: bob.user)
        let newest = try await verified(fixture, renewal)
        server.state.withLock { $0.facts = SubscriptionFacts(transactions: [newest], renewals: []) }
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await fixture.present(nameless, eve) }
        #expect(try await fixture.present(nameless, bob).tier == .premium)
    }
}
