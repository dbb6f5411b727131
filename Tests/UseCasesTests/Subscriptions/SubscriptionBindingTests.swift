import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct SubscriptionBindingTests {
    @Test func `presenting a purchase again returns the same subscription and writes nothing`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = try await fixture.present(fixture.purchase(), bob)
        _ = fixture.writes()
        #expect(try await fixture.present(fixture.purchase(), bob) == first)
        #expect(fixture.writes() == 0)
    }

    @Test func `a subscription stays with the first account that presents it`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, eve) = (try await fixture.person("bob"), try await fixture.person("eve", device: 2))
        try await fixture.present(fixture.purchase(), bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await fixture.present(fixture.purchase(), eve) }
        #expect(try await fixture.tier(eve) == .free)
        #expect(try await fixture.tier(bob) == .premium)
    }

    @Test func `a purchase that names another account is refused, even before that account presents it`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, eve) = (try await fixture.person("bob"), try await fixture.person("eve", device: 2))
        let purchase = fixture.purchase(for: bob.user)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await fixture.present(purchase, eve) }
        #expect(try await fixture.present(purchase, bob).tier == .premium)
    }

    @Test func `a purchase that names an unknown account is accepted`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let purchase = fixture.purchase(for: UserID(uuid: UUID()))
        #expect(try await fixture.present(purchase, bob).tier == .premium)
    }

    @Test func `a notification alone gives a subscription to the account that the purchase names`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        try await fixture.notify("SUBSCRIBED", "INITIAL_BUY", fixture.purchase(for: bob.user))
        #expect(try await fixture.tier(bob) == .premium)
    }

    @Test func `after the owner is deleted, a new purchase gives the subscription to the account it names`()
        async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let (bob, ada) = (try await fixture.person("bob"), try await fixture.person("ada", device: 2))
        let first = fixture.purchase(for: bob.user)
        try await fixture.present(first, bob)
        fixture.advance(days: 40)
        let again = TestPurchase(
            TestAppStore.premium, id: "1001", originalID: "1000", at: fixture.clock.now, for: ada.user)
        try await fixture.notify("SUBSCRIBED", "RESUBSCRIBE", again)
        #expect(try await fixture.tier(ada) == .free, "the subscription belongs to another account")
        try await fixture.removeAccount(bob.user, StorageLayout.account(bob.user))
        try await fixture.notify("SUBSCRIBED", "RESUBSCRIBE", again)
        #expect(try await fixture.tier(ada) == .premium)
    }

    @Test func `a refund before the first presentation is recorded and applies to the presented purchase`() async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        var purchase = fixture.purchase()
        let old = try fixture.appStore.transaction(purchase)
        fixture.clock.advance(by: 60)
        purchase.revokedAt = fixture.clock.now
        try await fixture.notify("REFUND", nil, purchase)
        let presented = try await fixture.services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: old), caller: try await fixture.refreshed(bob))
        #expect(presented.tier == .free, "the transaction was signed before the refund")
    }

    @Test func `a product without a tier is refused and assigns no subscription`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        await #expect(throws: ServiceError.unknownProduct("photolala.stickers")) {
            try await fixture.present(fixture.purchase("photolala.stickers"), bob)
        }
        #expect(try await fixture.present(fixture.purchase(), bob).tier == .premium)
    }

    @Test func `without purchases configured, every call is refused`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.appStoreVerifier = nil }
        let bob = try await fixture.person("bob")
        await #expect(throws: ServiceError.purchasesNotConfigured) { try await fixture.present(fixture.purchase(), bob) }
        await #expect(throws: ServiceError.purchasesNotConfigured) {
            try await fixture.services.subscriptions.moveTicket(MoveTicketRequest(originalTransactionID: "1"), caller: bob)
        }
        await #expect(throws: ServiceError.purchasesNotConfigured) {
            try await fixture.services.subscriptions.moveSubscription(MoveRequest(moveTicket: "x"), caller: bob)
        }
        await #expect(throws: ServiceError.notFound) {
            try await fixture.services.subscriptions.handleAppStoreNotification([])
        }
    }

    @Test func `concurrent presentations by three accounts give a subscription one owner`() async throws {
        for seed in 1...20 {
            let fixture = try await SubscriptionFixture.make { $0.seed = UInt64(seed) }
            let people = [
                try await fixture.person("a", device: 1), try await fixture.person("b", device: 2),
                try await fixture.person("c", device: 3),
            ]
            let purchase = fixture.purchase()
            let winners = await withTaskGroup(of: Bool.self) { group in
                for person in people + people {
                    group.addTask { (try? await fixture.present(purchase, person)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 2, "the one owner's two calls")
            let tiers = [
                try await fixture.tier(people[0]), try await fixture.tier(people[1]), try await fixture.tier(people[2]),
            ]
            #expect(tiers.filter { $0 == .premium }.count == 1)
        }
    }

    @Test func `the daily job updates an account whose subscription record is newer`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        // Only the record, as left by a stop after its write.
        let transaction = try await fixture.appStore.verifier().transaction(
            try fixture.appStore.transaction(fixture.purchase(TestAppStore.basic)))
        try await fixture.present(fixture.purchase(TestAppStore.basic), bob)
        let upgrade = try await fixture.appStore.verifier().transaction(
            try fixture.appStore.transaction(
                TestPurchase(
                    TestAppStore.premium, id: "1001", originalID: "1000", at: fixture.clock.now.addingTimeInterval(60))))
        _ = try await fixture.components.subscriptions.records.apply(
            .init(transactions: [upgrade], renewals: []), of: transaction.originalID,
            in: InvolvedAccounts(fixture.components.accounts))
        fixture.clock.advance(by: 120)
        #expect(try await fixture.tier(bob) == .basic)
        try await fixture.services.usageCount.countUsage()
        #expect(try await fixture.tier(bob) == .premium)
    }
}
