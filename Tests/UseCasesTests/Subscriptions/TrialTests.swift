import Foundation
import NIOCore
import ObjectStorage
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

    @Test func `a trial is forgotten two years after its end, and not before`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let housekeeping = fixture.service.services.housekeeping
        _ = try await fixture.person("bob")
        fixture.advance(days: 10)
        let eve = try await fixture.person("eve")
        let damaged = ObjectKey(known: StorageLayout.trial("test-damaged"))
        _ = try await fixture.service.store.put(damaged, ByteBuffer(string: "{"), if: .always)
        let ends = try #require(try await fixture.subscription(eve).trialEndsAt)
        // Bob's trial ended ten days before Eve's.
        fixture.advance(days: 14 + 730 - 11)
        try await housekeeping.removeExpiredTrials()
        #expect(try await fixture.keys(under: StorageLayout.trials).count == 2, "Eve's and the damaged one")
        fixture.advance(days: 11)
        #expect(fixture.clock.now >= ends.addingTimeInterval(Trials.retention))
        try await housekeeping.removeExpiredTrials()
        #expect(try await fixture.keys(under: StorageLayout.trials).isEmpty)
        try await fixture.removeAccount(eve.user, "identities/google/eve")
        let again = try await fixture.person("eve")
        #expect(try await fixture.subscription(again).trialEndsAt == fixture.clock.now.addingTimeInterval(14 * 86_400))
    }

    @Test func `a trial that a recovery wrote anew is forgotten within a month of its time`() async throws {
        let fixture = try await SubscriptionFixture.make { $0.trial = offer }
        let housekeeping = fixture.service.services.housekeeping
        _ = try await fixture.person("bob")
        let key = try #require(try await fixture.keys(under: StorageLayout.trials).first.flatMap { ObjectKey($0) })
        fixture.advance(days: 14 + 700)
        let record = try #require(try await fixture.service.store.get(key))
        _ = try await fixture.service.store.put(key, record.bytes, if: .matches(record.etag))
        for day in 0..<60 {
            try await housekeeping.removeExpiredTrials()
            let kept = try await fixture.keys(under: StorageLayout.trials).count
            #expect(day < 30 ? kept == 1 : day < 59 || kept == 0, "day \(day)")
            fixture.advance(days: 1)
        }
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
