import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing
import UseCases

@Suite struct TrialTests {
    private let offer = TrialOffer(tier: .basic, days: 14)

    @Test func `a new account has a trial that ends after the offered days`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await fixture.person("bob")
        let trial = try await fixture.subscription(bob)
        #expect(trial.tier == .basic)
        #expect(trial.trialEndsAt == fixture.clock.now.addingTimeInterval(14 * 86_400))
        fixture.advance(days: 14)
        let after = try await fixture.subscription(bob)
        #expect(after.tier == .free)
        #expect(after.trialEndsAt == nil)
    }

    @Test func `without an offer, a new account has no trial and no trial is stored`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        #expect(try await fixture.tier(bob) == .free)
        #expect(try await fixture.keys(under: "service/trials/").isEmpty)
    }

    @Test func `an identity has one trial, even with a second account`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await fixture.person("bob")
        let first = try await fixture.subscription(bob).trialEndsAt
        fixture.advance(days: 5)
        try await fixture.removeAccount(bob.user, "identities/google/bob")
        let again = try await fixture.person("bob")
        #expect(again.user != bob.user)
        #expect(try await fixture.subscription(again).trialEndsAt == first)
        fixture.advance(days: 9)
        #expect(try await fixture.tier(again) == .free)
    }

    @Test func `a new master key does not grant a second trial`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await fixture.person("bob")
        let first = try await fixture.subscription(bob).trialEndsAt
        fixture.advance(days: 5)
        try await fixture.removeAccount(bob.user, "identities/google/bob")
        var options = try fixture.appStore.options()
        (options.trial, options.hasNewMasterKey) = (offer, true)
        let later = SubscriptionFixture(
            clock: fixture.clock, appStore: fixture.appStore,
            service: try await TestService.make(options, store: fixture.service.store, clock: fixture.clock))
        let again = try await later.person("bob")
        #expect(try await later.subscription(again).trialEndsAt == first)
    }

    @Test func `a purchase of the trial's tier replaces the trial`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let bob = try await fixture.person("bob")
        let bought = try await fixture.present(fixture.purchase(TestAppStore.basic), bob)
        #expect(bought.tier == .basic)
        #expect(bought.trialEndsAt == nil)
        #expect(bought.appStore?.status == .active)
    }
}
