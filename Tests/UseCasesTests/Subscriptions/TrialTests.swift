import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing
import UseCases

@Suite struct TrialTests {
    private let offer = TrialOffer(tier: .basic, days: 14)

    @Test func `a new account has a trial that ends after the offered days`() async throws {
        let shop = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await shop.person("bob")
        let trial = try await shop.subscription(bob)
        #expect(trial.tier == .basic)
        #expect(trial.trialEndsAt == shop.clock.now.addingTimeInterval(14 * 86_400))
        shop.advance(days: 14)
        let after = try await shop.subscription(bob)
        #expect(after.tier == .free)
        #expect(after.trialEndsAt == nil)
    }

    @Test func `without an offer, a new account has no trial and no trial is stored`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        #expect(try await shop.tier(bob) == .free)
        #expect(try await shop.keys(under: "service/trials/").isEmpty)
    }

    @Test func `an identity has one trial, even with a second account`() async throws {
        let shop = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await shop.person("bob")
        let first = try await shop.subscription(bob).trialEndsAt
        shop.advance(days: 5)
        try await shop.removeAccount(bob.user, "identities/google/bob")
        let again = try await shop.person("bob")
        #expect(again.user != bob.user)
        #expect(try await shop.subscription(again).trialEndsAt == first)
        shop.advance(days: 9)
        #expect(try await shop.tier(again) == .free)
    }

    @Test func `a new master key does not grant a second trial`() async throws {
        let shop = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await shop.person("bob")
        let first = try await shop.subscription(bob).trialEndsAt
        shop.advance(days: 5)
        try await shop.removeAccount(bob.user, "identities/google/bob")
        var options = try shop.appStore.options()
        (options.trial, options.hasNewMasterKey) = (offer, true)
        let later = SubscriptionFixture(
            clock: shop.clock, appStore: shop.appStore,
            service: try await TestService.make(options, store: shop.service.store, clock: shop.clock))
        let again = try await later.person("bob")
        #expect(try await later.subscription(again).trialEndsAt == first)
    }

    @Test func `a purchase of the trial's tier replaces the trial`() async throws {
        let shop = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await shop.person("bob")
        let bought = try await shop.present(shop.purchase(TestAppStore.basic), bob)
        #expect(bought.tier == .basic)
        #expect(bought.trialEndsAt == nil)
        #expect(bought.appStore?.status == .active)
    }
}
