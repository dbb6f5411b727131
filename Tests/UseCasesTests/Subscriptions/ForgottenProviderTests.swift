import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct ForgottenProviderTests {
    private func hints(_ shop: SubscriptionFixture, _ purchase: TestPurchase, signedAt: Date? = nil) async throws
        -> [ProviderName]
    {
        let signed = try shop.appStore.transaction(purchase, signedAt: signedAt)
        return try await shop.services.subscriptions.findProvider(by: AppStorePurchase(signedTransaction: signed)).hints
            .map(\.provider)
    }

    @Test func `a presented purchase returns the provider of its account`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        let purchase = shop.purchase()
        #expect(try await hints(shop, purchase) == [], "no account has presented it yet")
        try await shop.present(purchase, bob)
        #expect(try await hints(shop, purchase) == [.google])
    }

    @Test func `a purchase that names an account returns its provider`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        #expect(try await hints(shop, shop.purchase(for: bob.user)) == [.google])
        #expect(try await hints(shop, shop.purchase(for: UserID(uuid: UUID()))) == [])
    }

    @Test func `after a move, the provider of the new account is returned`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        let kim = try await shop.service.caller(try await shop.service.signUp(.apple, "kim", device: 2).session)
        try await shop.present(shop.purchase(), bob)
        _ = try await shop.services.subscriptions.moveSubscription(
            MoveRequest(signedTransaction: try shop.appStore.transaction(shop.purchase())), caller: kim)
        #expect(try await hints(shop, shop.purchase()) == [.apple])
    }

    @Test func `an old transaction and a family-shared one are refused`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        let purchase = shop.purchase()
        try await shop.present(purchase, bob)
        shop.advance(days: 1)
        await #expect(throws: ServiceError.transactionTooOld) {
            try await hints(shop, purchase, signedAt: shop.clock.now.addingTimeInterval(-601))
        }
        var shared = purchase
        shared.isFamilyShared = true
        await #expect(throws: ServiceError.familyShared) { try await hints(shop, shared) }
    }

    @Test func `finding the provider writes nothing`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        try await shop.present(shop.purchase(), bob)
        _ = shop.writes()
        _ = try await hints(shop, shop.purchase())
        #expect(shop.writes() == 0)
    }
}
