import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The rows of the table in `docs/subscriptions.md`, by name.
@Suite struct SubscriptionTableTests {
    @Test func `a purchase grants the product's tier until it expires`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        #expect(try await fixture.tier(bob) == .free)
        let response = try await fixture.present(fixture.purchase(), bob)
        #expect(response.tier == .premium)
        #expect(response.storageLimit == 500_000_000_000)
        #expect(response.appStore?.status == .active)
        #expect(response.appStore?.originalTransactionID == "1000")
        fixture.advance(days: 29.9)
        #expect(try await fixture.tier(bob) == .premium)
        fixture.advance(days: 0.2)
        let after = try await fixture.subscription(bob)
        #expect(after.tier == .free)
        #expect(after.appStore?.status == .expired)
    }

    @Test func `a renewal extends the tier by its period`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 29.5)
        try await fixture.notify("DID_RENEW", nil, first.renewed(id: "1001"))
        fixture.advance(days: 30)
        #expect(try await fixture.tier(bob) == .premium)
        fixture.advance(days: 1)
        #expect(try await fixture.tier(bob) == .free)
    }

    @Test func `an upgrade grants the new product's tier at once`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase(TestAppStore.basic)
        try await fixture.present(first, bob)
        fixture.advance(days: 10)
        var second = first.renewed(id: "1001", product: TestAppStore.professional)
        (second.purchasedAt, second.expiresAt) = (fixture.clock.now, fixture.clock.now.addingTimeInterval(30 * 86_400))
        try await fixture.notify("DID_CHANGE_RENEWAL_PREF", "UPGRADE", second)
        #expect(try await fixture.tier(bob) == .professional)
    }

    @Test func `a downgrade keeps the old product's tier until the renewal, then grants the new one`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase(TestAppStore.premium)
        try await fixture.present(first, bob)
        fixture.advance(days: 10)
        try await fixture.notify(
            "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", first,
            renewal: try fixture.appStore.renewal(of: first, nextProduct: TestAppStore.basic))
        let downgraded = try await fixture.subscription(bob)
        #expect(downgraded.tier == .premium)
        #expect(downgraded.appStore?.nextTier == .basic)
        fixture.advance(days: 20)
        let next = first.renewed(id: "1001", product: TestAppStore.basic)
        try await fixture.notify("DID_RENEW", nil, next, renewal: try fixture.appStore.renewal(of: next))
        #expect(try await fixture.tier(bob) == .basic)
        #expect(try await fixture.subscription(bob).appStore?.nextTier == nil)
    }

    @Test func `a cancelled downgrade changes nothing`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase(TestAppStore.premium)
        try await fixture.present(first, bob)
        try await fixture.notify(
            "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", first,
            renewal: try fixture.appStore.renewal(of: first, nextProduct: TestAppStore.basic))
        fixture.clock.advance(by: 60)
        try await fixture.notify(
            "DID_CHANGE_RENEWAL_PREF", nil, first, renewal: try fixture.appStore.renewal(of: first))
        let now = try await fixture.subscription(bob)
        #expect(now.tier == .premium)
        #expect(now.appStore?.nextTier == nil)
    }

    @Test func `turning renewal off keeps the tier until the period ends`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        try await fixture.present(first, bob)
        try await fixture.notify(
            "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", first,
            renewal: try fixture.appStore.renewal(of: first, willRenew: false))
        let now = try await fixture.subscription(bob)
        #expect(now.tier == .premium)
        #expect(now.appStore?.willRenew == false)
    }

    @Test func `a failed charge with a grace period keeps the tier until the grace period ends`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 30)
        try await fixture.notify(
            "DID_FAIL_TO_RENEW", "GRACE_PERIOD", first,
            renewal: try fixture.appStore.renewal(
                of: first, isInBillingRetry: true, graceUntil: first.expiresAt.addingTimeInterval(16 * 86_400)))
        let grace = try await fixture.subscription(bob)
        #expect(grace.tier == .premium)
        #expect(grace.appStore?.status == .gracePeriod)
        #expect(grace.appStore?.endsAt == first.expiresAt.addingTimeInterval(16 * 86_400))
        fixture.advance(days: 16)
        let over = try await fixture.subscription(bob)
        #expect(over.tier == .free)
        #expect(over.appStore?.status == .billingRetry)
    }

    @Test func `a failed charge without a grace period ends the tier until the charge succeeds`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 30)
        try await fixture.notify(
            "DID_FAIL_TO_RENEW", nil, first, renewal: try fixture.appStore.renewal(of: first, isInBillingRetry: true))
        #expect(try await fixture.tier(bob) == .free)
        fixture.advance(days: 5)
        let paid = TestPurchase(TestAppStore.premium, id: "1001", originalID: "1000", at: fixture.clock.now)
        try await fixture.notify(
            "DID_RENEW", "BILLING_RECOVERY", paid, renewal: try fixture.appStore.renewal(of: paid))
        #expect(try await fixture.subscription(bob).appStore?.status == .active)
        #expect(try await fixture.tier(bob) == .premium)
    }

    @Test(
        "an expiration ends the tier",
        arguments: ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"])
    func expired(_ subtype: String) async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 30)
        try await fixture.notify(
            "EXPIRED", subtype, first, renewal: try fixture.appStore.renewal(of: first, willRenew: false))
        #expect(try await fixture.tier(bob) == .free)
    }

    @Test func `a refund ends the tier at once, and its reversal restores it`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        var first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 3)
        first.revokedAt = fixture.clock.now
        try await fixture.notify("REFUND", nil, first)
        let refunded = try await fixture.subscription(bob)
        #expect(refunded.tier == .free)
        #expect(refunded.appStore?.status == .revoked)
        // It grants nothing at any time, so it has no end date.
        #expect(refunded.appStore?.endsAt == nil)
        fixture.advance(days: 1)
        first.revokedAt = nil
        try await fixture.notify("REFUND_REVERSED", nil, first)
        #expect(try await fixture.tier(bob) == .premium)
    }

    @Test func `a family-shared purchase grants the tier until the sharing ends`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let kim = try await fixture.person("kim")
        var shared = fixture.purchase()
        shared.isFamilyShared = true
        #expect(try await fixture.present(shared, kim).appStore?.isFamilyShared == true)
        #expect(try await fixture.tier(kim) == .premium)
        fixture.advance(days: 3)
        shared.revokedAt = fixture.clock.now
        try await fixture.notify("REVOKE", nil, shared)
        #expect(try await fixture.tier(kim) == .free)
    }

    @Test func `an extension moves the end of the period`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        var first = fixture.purchase()
        try await fixture.present(first, bob)
        fixture.advance(days: 20)
        first.expiresAt = first.expiresAt.addingTimeInterval(14 * 86_400)
        try await fixture.notify("RENEWAL_EXTENDED", nil, first)
        fixture.advance(days: 20)
        #expect(try await fixture.tier(bob) == .premium)
    }

    @Test func `a new subscription after a pause grants its product's tier`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(), bob)
        fixture.advance(days: 100)
        let again = TestPurchase(TestAppStore.basic, id: "1009", originalID: "1000", at: fixture.clock.now)
        try await fixture.notify("SUBSCRIBED", "RESUBSCRIBE", again)
        #expect(try await fixture.tier(bob) == .basic)
    }

    @Test(
        "an informational notification changes nothing",
        arguments: [
            ("PRICE_INCREASE", "PENDING"), ("PRICE_CHANGE", nil), ("CONSUMPTION_REQUEST", nil),
            ("REFUND_DECLINED", nil), ("METADATA_UPDATE", nil), ("MIGRATION", nil), ("RESCIND_CONSENT", nil),
            ("A_TYPE_OF_TOMORROW", "AND_ITS_SUBTYPE"),
        ])
    func reported(_ type: String, _ subtype: String?) async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        let first = fixture.purchase()
        let before = try await fixture.present(first, bob)
        fixture.clock.advance(by: 60)
        try await fixture.notify(type, subtype, first)
        #expect(try await fixture.subscription(bob) == before)
    }

    @Test func `several subscriptions grant the largest tier, not their sum`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        try await fixture.present(fixture.purchase(TestAppStore.basic, "1"), bob)
        try await fixture.present(fixture.purchase(TestAppStore.premium, "2"), bob)
        try await fixture.present(fixture.purchase(TestAppStore.basic, "3"), bob)
        let all = try await fixture.subscription(bob)
        #expect(all.storageLimit == 500_000_000_000)
        #expect(all.appStore?.originalTransactionID == "2")
    }

    @Test func `each row of the table in the documentation is the name of a test`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/subscriptions.md"), encoding: .utf8)
        let table = page.split(separator: "| event |").last.map {
            $0.prefix(through: $0.range(of: "\n\n")?.lowerBound ?? $0.startIndex)
        }
        let rows = try #require(table).split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
        #expect(rows.count == 15)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = "\(cells[0]) \(cells[2])"
            #expect(source.contains("`\(name)`") || source.contains("\"\(name)\""), "\(name)")
        }
    }
}
