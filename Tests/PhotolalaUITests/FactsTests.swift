import Foundation
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// The sentences about an account's data.
@Suite struct FactsTests {
    private let texts = ScreenTexts(languages: ["en"])

    @Test(
        "durations are rounded up, in minutes up to two hours and in hours up to two days",
        arguments: [
            (0, "1 minutes"), (61, "2 minutes"), (7200, "120 minutes"), (7201, "3 hours"), (172_800, "48 hours"),
            (172_801, "3 days"), (604_800, "7 days"), (1e12, "694,445 days"),
        ])
    func durations(seconds: Double, text: String) {
        #expect(texts.duration(seconds) == text)
    }

    @Test("a deletion says how long it can be cancelled", arguments: [(0, "can’t"), (1, "one day"), (14, "14 days")])
    func undo(days: Int, part: String) {
        #expect(texts.undoTime(days).contains(part))
    }

    @Test(
        "a plan says what happens next",
        arguments: [
            (.active, true, "Renews"), (.active, nil, "Paid until"), (.active, false, "Paid until"),
            (.gracePeriod, true, "payment failed"), (.billingRetry, true, "payment failed"), (.expired, false, nil),
        ] as [(SubscriptionStatus, Bool?, String?)])
    func plans(status: SubscriptionStatus, renews: Bool?, part: String?) {
        let store = AppStoreSubscription(
            originalTransactionID: "1", productID: "p", status: status, expiresAt: ClientFixture.start, endsAt: nil,
            willRenew: renews, nextTier: nil, isFamilyShared: false)
        let facts = texts.facts(of: Subscription(tier: .basic, storageLimit: 1, appStore: store))
        #expect(facts.first == "Plan: Basic")
        #expect(facts.dropFirst().first?.contains(part ?? "") == part.map { _ in true })
    }

    @Test("an identity shows its state, and the provider's address only if there is one")
    @MainActor func links() {
        let plain = texts.facts(of: ScreenFixture.link(.google, 2))
        #expect(plain.count == 1 && plain[0].hasPrefix("Linked"))
        #expect(texts.facts(of: ScreenFixture.link(.google, 1, state: .revoked)).count == 3)
    }

    @Test("no sentence has an unreplaced placeholder", arguments: ["en", "ja"])
    func placeholders(language: String) async throws {
        let (texts, account) = (ScreenTexts(languages: [language]), PreviewAccount())
        var sentences = try await account.linkedAccounts().flatMap(texts.facts)
        sentences += try await account.deviceList().devices.flatMap(texts.facts)
        let usage = try await account.usage()
        sentences += try texts.contents(#require(usage.byKind)) + [#require(texts.warning(usage.fullness))]
        sentences += try await PreviewPlans().plans().map(texts.offer)
        let trial = Subscription(tier: .premium, storageLimit: 1, trialEndsAt: ClientFixture.start)
        sentences += texts.facts(of: trial)
        #expect(sentences.count > 15)
        for sentence in sentences { #expect(!sentence.contains("{") && !sentence.isEmpty, "\(sentence)") }
    }
}
