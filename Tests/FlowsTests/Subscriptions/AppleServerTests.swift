import Accounts
import Flows
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Synchronization
import Testing

/// What flows ask of Apple's server.
@Suite struct AppleServerTests {
    /// Apple's server as a test has it.
    private final class Server: AppStoreServer {
        struct State {
            var facts = SubscriptionFacts(transactions: [], renewals: [])
            var missed: [AppStoreNotification] = []
            var spans: [ClosedRange<Date>] = []
            var tokens: [UserID] = []
            var isSilent = false
        }

        let state = Mutex(State())

        private func answer<Value: Sendable>(
            _ read: (inout sending State) -> sending Value
        ) throws(AppStoreServerError) -> Value {
            if state.withLock({ $0.isSilent }) { throw .unavailable("silence") }
            return state.withLock { read(&$0) }
        }

        func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts {
            try answer { $0.facts }
        }

        func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction] {
            try answer { $0.facts.transactions }
        }

        func missedNotifications(
            _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
        ) async throws(AppStoreServerError) -> MissedNotifications {
            try answer { state in
                state.spans.append(from...to)
                let isFirst = page == nil
                let half = isFirst ? Array(state.missed.prefix(1)) : Array(state.missed.dropFirst())
                return MissedNotifications(
                    notifications: environment == .sandbox ? half : [], invalid: [],
                    next: isFirst && state.missed.count > 1 && environment == .sandbox ? "2" : nil)
            }
        }

        func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError) {
            try answer { $0.tokens.append(user) }
        }
    }

    private func open(_ server: Server) async throws -> Shop { try await Shop.open { $0.appStoreServer = server } }

    private func verified(_ shop: Shop, _ purchase: TestPurchase) async throws -> AppStoreTransaction {
        try await shop.appStore.verifier().transaction(try shop.appStore.transaction(purchase))
    }

    @Test func `A purchase that was refunded while it lay on a device gives nothing`() async throws {
        let server = Server()
        let shop = try await open(server)
        let bob = try await shop.person("bob")
        var purchase = shop.purchase()
        let old = try shop.appStore.transaction(purchase)
        shop.clock.advance(by: 60)
        purchase.revokedAt = shop.clock.now
        let refund = try await verified(shop, purchase)
        server.state.withLock { $0.facts = SubscriptionFacts(transactions: [refund], renewals: []) }
        let answer = try await shop.services.presentPurchase(
            AppStorePurchase(signedTransaction: old), caller: try await shop.again(bob))
        #expect(answer.tier == .free)
    }

    @Test func `Without an answer the purchase itself counts`() async throws {
        let server = Server()
        server.state.withLock { $0.isSilent = true }
        let shop = try await open(server)
        let bob = try await shop.person("bob")
        #expect(try await shop.present(shop.purchase(), bob).tier == .premium)
    }

    @Test func `Apple is told the account once, where the buyer named none`() async throws {
        let server = Server()
        let shop = try await open(server)
        let bob = try await shop.person("bob")
        try await shop.present(shop.purchase(), bob)
        try await shop.present(shop.purchase(), bob)
        try await shop.present(shop.purchase(TestAppStore.basic, "2", for: bob.user), bob)
        #expect(server.state.withLock { $0.tokens } == [bob.user])
    }

    @Test func `What Apple could not be told is told by the daily job`() async throws {
        let server = Server()
        server.state.withLock { $0.isSilent = true }
        let shop = try await open(server)
        let bob = try await shop.person("bob")
        try await shop.present(shop.purchase(), bob)
        server.state.withLock { $0.isSilent = false }
        try await shop.services.countUsage()
        try await shop.services.countUsage()
        #expect(server.state.withLock { $0.tokens } == [bob.user])
    }

    @Test func `Notifications that did not arrive are fetched, each time from where the last ended`() async throws {
        let server = Server()
        let shop = try await open(server)
        let bob = try await shop.person("bob")
        let first = shop.purchase(for: bob.user)
        let next = first.renewed(id: "1001")
        let verifier = try shop.appStore.verifier()
        let told = [
            try await verifier.notification(
                try shop.appStore.notification(
                    "SUBSCRIBED", id: UUID(), transaction: try shop.appStore.transaction(first))),
            try await verifier.notification(
                try shop.appStore.notification(
                    "DID_RENEW", id: UUID(), transaction: try shop.appStore.transaction(next))),
        ]
        server.state.withLock { $0.missed = told }
        let started = shop.clock.now
        try await shop.services.fetchMissedNotifications()
        #expect(try await shop.tier(bob) == .premium)
        shop.advance(days: 1)
        try await shop.services.fetchMissedNotifications()
        let last = try #require(server.state.withLock { $0.spans.last })
        #expect(last == started.addingTimeInterval(-3600)...shop.clock.now)
        shop.advance(days: 40)
        #expect(try await shop.tier(bob) == .premium, "the second page's renewal")
    }

    @Test func `While Apple does not answer nothing is taken for asked`() async throws {
        let server = Server()
        let shop = try await open(server)
        server.state.withLock { $0.isSilent = true }
        await #expect(throws: FlowError.self) { try await shop.services.fetchMissedNotifications() }
        server.state.withLock { $0.isSilent = false }
        shop.advance(days: 10)
        try await shop.services.fetchMissedNotifications()
        let first = try #require(server.state.withLock { $0.spans.first })
        #expect(first.lowerBound == shop.clock.now.addingTimeInterval(-30 * 86_400))
    }
}
