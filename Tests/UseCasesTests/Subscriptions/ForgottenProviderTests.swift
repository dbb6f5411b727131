import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct ForgottenProviderTests {
    private func hints(_ fixture: SubscriptionFixture, _ purchase: TestPurchase, signedAt: Date? = nil) async throws
        -> [ProviderName]
    {
        let signed = try fixture.appStore.transaction(purchase, signedAt: signedAt)
        return try await fixture.services.subscriptions.findProvider(by: AppStorePurchase(signedTransaction: signed)).hints
            .map(\.provider)
    }

    @Test func `a presented purchase returns the provider of its account`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let purchase = fixture.purchase()
        #expect(try await hints(fixture, purchase) == [], "no account has presented it yet")
        try await fixture.present(purchase, bob)
        #expect(try await hints(fixture, purchase) == [.google])
    }

    @Test func `a purchase that names an account returns its provider`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        #expect(try await hints(fixture, fixture.purchase(for: bob.user)) == [.google])
        #expect(try await hints(fixture, fixture.purchase(for: UserID(uuid: UUID()))) == [])
    }

    @Test func `after a move, the provider of the new account is returned`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let kim = try await fixture.service.caller(try await fixture.service.signUp(.apple, "kim", device: 2).session)
        try await fixture.present(fixture.purchase(), bob)
        _ = try await fixture.services.subscriptions.moveSubscription(
            MoveRequest(signedTransaction: try fixture.appStore.transaction(fixture.purchase())), caller: kim)
        #expect(try await hints(fixture, fixture.purchase()) == [.apple])
    }

    @Test func `an old transaction and a family-shared one are refused`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let purchase = fixture.purchase()
        try await fixture.present(purchase, bob)
        fixture.advance(days: 1)
        await #expect(throws: ServiceError.transactionTooOld) {
            try await hints(fixture, purchase, signedAt: fixture.clock.now.addingTimeInterval(-601))
        }
        var shared = purchase
        shared.isFamilyShared = true
        await #expect(throws: ServiceError.familyShared) { try await hints(fixture, shared) }
    }

    @Test func `finding the provider writes nothing`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(), bob)
        _ = fixture.writes()
        _ = try await hints(fixture, fixture.purchase())
        #expect(fixture.writes() == 0)
    }
}
