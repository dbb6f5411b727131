import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct SubscriptionBindingTests {
    @Test func `presenting a purchase again returns the same subscription and writes nothing`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        let first = try await shop.present(shop.purchase(), bob)
        _ = shop.writes()
        #expect(try await shop.present(shop.purchase(), bob) == first)
        #expect(shop.writes() == 0)
    }

    @Test func `a subscription stays with the first account that presents it`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, eve) = (try await shop.person("bob"), try await shop.person("eve", device: 2))
        try await shop.present(shop.purchase(), bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await shop.present(shop.purchase(), eve) }
        #expect(try await shop.tier(eve) == .free)
        #expect(try await shop.tier(bob) == .premium)
    }

    @Test func `a purchase that names another account is refused, even before that account presents it`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, eve) = (try await shop.person("bob"), try await shop.person("eve", device: 2))
        let purchase = shop.purchase(for: bob.user)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await shop.present(purchase, eve) }
        #expect(try await shop.present(purchase, bob).tier == .premium)
    }

    @Test func `a purchase that names an unknown account is accepted`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        let purchase = shop.purchase(for: UserID(uuid: UUID()))
        #expect(try await shop.present(purchase, bob).tier == .premium)
    }

    @Test func `a notification alone gives a subscription to the account that the purchase names`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        try await shop.notify("SUBSCRIBED", "INITIAL_BUY", shop.purchase(for: bob.user))
        #expect(try await shop.tier(bob) == .premium)
    }

    @Test func `after the owner is deleted, a new purchase gives the subscription to the account it names`()
        async throws
    {
        let shop = try await SubscriptionFixture.make()
        let (bob, ada) = (try await shop.person("bob"), try await shop.person("ada", device: 2))
        let first = shop.purchase(for: bob.user)
        try await shop.present(first, bob)
        shop.advance(days: 40)
        let again = TestPurchase(
            TestAppStore.premium, id: "1001", originalID: "1000", at: shop.clock.now, for: ada.user)
        try await shop.notify("SUBSCRIBED", "RESUBSCRIBE", again)
        #expect(try await shop.tier(ada) == .free, "the subscription belongs to another account")
        try await shop.removeAccount(bob.user, StorageLayout.account(bob.user))
        try await shop.notify("SUBSCRIBED", "RESUBSCRIBE", again)
        #expect(try await shop.tier(ada) == .premium)
    }

    @Test func `a refund before the first presentation is recorded and applies to the presented purchase`() async throws
    {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        var purchase = shop.purchase()
        let old = try shop.appStore.transaction(purchase)
        shop.clock.advance(by: 60)
        purchase.revokedAt = shop.clock.now
        try await shop.notify("REFUND", nil, purchase)
        let presented = try await shop.services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: old), caller: try await shop.refreshed(bob))
        #expect(presented.tier == .free, "the transaction was signed before the refund")
    }

    @Test func `a product without a tier is refused and assigns no subscription`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        await #expect(throws: ServiceError.unknownProduct("photolala.stickers")) {
            try await shop.present(shop.purchase("photolala.stickers"), bob)
        }
        #expect(try await shop.present(shop.purchase(), bob).tier == .premium)
    }

    @Test func `without purchases configured, every call is refused`() async throws {
        let shop = try await SubscriptionFixture.make { $0.appStoreVerifier = nil }
        let bob = try await shop.person("bob")
        await #expect(throws: ServiceError.purchasesNotConfigured) { try await shop.present(shop.purchase(), bob) }
        await #expect(throws: ServiceError.purchasesNotConfigured) {
            try await shop.services.subscriptions.moveTicket(MoveTicketRequest(originalTransactionID: "1"), caller: bob)
        }
        await #expect(throws: ServiceError.purchasesNotConfigured) {
            try await shop.services.subscriptions.moveSubscription(MoveRequest(moveTicket: "x"), caller: bob)
        }
        await #expect(throws: ServiceError.notFound) {
            try await shop.services.subscriptions.handleAppStoreNotification([])
        }
    }

    @Test func `concurrent presentations by three accounts give a subscription one owner`() async throws {
        for seed in 1...20 {
            let shop = try await SubscriptionFixture.make { $0.seed = UInt64(seed) }
            let people = [
                try await shop.person("a", device: 1), try await shop.person("b", device: 2),
                try await shop.person("c", device: 3),
            ]
            let purchase = shop.purchase()
            let winners = await withTaskGroup(of: Bool.self) { group in
                for person in people + people {
                    group.addTask { (try? await shop.present(purchase, person)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 2, "the one owner's two calls")
            let tiers = [
                try await shop.tier(people[0]), try await shop.tier(people[1]), try await shop.tier(people[2]),
            ]
            #expect(tiers.filter { $0 == .premium }.count == 1)
        }
    }

    @Test func `the daily job updates an account whose subscription record is newer`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        // Only the record, as left by a stop after its write.
        let transaction = try await shop.appStore.verifier().transaction(
            try shop.appStore.transaction(shop.purchase(TestAppStore.basic)))
        try await shop.present(shop.purchase(TestAppStore.basic), bob)
        let upgrade = try await shop.appStore.verifier().transaction(
            try shop.appStore.transaction(
                TestPurchase(
                    TestAppStore.premium, id: "1001", originalID: "1000", at: shop.clock.now.addingTimeInterval(60))))
        _ = try await shop.components.subscriptions.records.apply(
            .init(transactions: [upgrade], renewals: []), of: transaction.originalID)
        shop.clock.advance(by: 120)
        #expect(try await shop.tier(bob) == .basic)
        try await shop.services.usageCount.countUsage()
        #expect(try await shop.tier(bob) == .premium)
    }
}
