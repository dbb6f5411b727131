import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

@testable import UseCases

/// A year of notifications of a subscription, in any order and any number of times.
@Suite struct NotificationOrderTests {
    private let day: TimeInterval = 86_400

    /// Returns Apple's notifications of one year: a purchase, an upgrade, a downgrade, a failed charge with its grace
    /// period, a refund that is reversed, a renewal that is turned off, the expiration, and an unknown notification.
    private func year(_ fixture: SubscriptionFixture, _ original: String, for user: UserID, from start: Date) throws
        -> [[UInt8]]
    {
        let store = fixture.appStore
        var notifications: [[UInt8]] = []
        func notify(
            _ type: String, _ subtype: String?, _ purchase: TestPurchase, after days: Double, renewal: String? = nil
        ) throws {
            let date = start.addingTimeInterval(days * day)
            notifications.append(
                try store.notification(
                    type, subtype, id: UUID(), transaction: try store.transaction(purchase, signedAt: date),
                    renewal: renewal, signedAt: date))
        }
        func date(_ days: Double) -> Date { start.addingTimeInterval(days * day) }
        func purchase(_ number: Int, _ product: String, _ days: Double) -> TestPurchase {
            TestPurchase(
                product, id: "\(original)\(number)", originalID: original, at: date(days), days: 30, for: user)
        }
        let first = purchase(0, TestAppStore.basic, 0)
        try notify(
            "SUBSCRIBED", "INITIAL_BUY", first, after: 0, renewal: try store.renewal(of: first, signedAt: date(0)))
        let second = purchase(1, TestAppStore.premium, 10)
        var replaced = first
        replaced.isUpgraded = true
        try notify("DID_CHANGE_RENEWAL_PREF", "UPGRADE", replaced, after: 10)
        try notify(
            "DID_CHANGE_RENEWAL_PREF", "UPGRADE", second, after: 10.1,
            renewal: try store.renewal(of: second, signedAt: date(10.1)))
        try notify(
            "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", second, after: 20,
            renewal: try store.renewal(of: second, nextProduct: TestAppStore.basic, signedAt: date(20)))
        try notify(
            "DID_FAIL_TO_RENEW", "GRACE_PERIOD", second, after: 40,
            renewal: try store.renewal(
                of: second, nextProduct: TestAppStore.basic, isInBillingRetry: true, graceUntil: date(56),
                signedAt: date(40)))
        let third = purchase(2, TestAppStore.basic, 45)
        try notify(
            "DID_RENEW", "BILLING_RECOVERY", third, after: 45,
            renewal: try store.renewal(of: third, signedAt: date(45)))
        var refunded = third
        refunded.revokedAt = date(50)
        try notify("REFUND", nil, refunded, after: 50)
        try notify("REFUND_REVERSED", nil, third, after: 52)
        try notify("A_TYPE_OF_TOMORROW", "AND_ITS_SUBTYPE", third, after: 53)
        try notify(
            "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", third, after: 60,
            renewal: try store.renewal(of: third, willRenew: false, signedAt: date(60)))
        try notify(
            "EXPIRED", "VOLUNTARY", third, after: 75,
            renewal: try store.renewal(of: third, willRenew: false, signedAt: date(75)))
        return notifications
    }

    @Test func `notifications in any order and repetition give the same record and account`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let start = fixture.clock.now
        fixture.advance(days: 365)
        var random = SeededGenerator(seed: 11)
        var expected: (entitlement: Entitlement, given: [AccountSubscription.Period])?
        for order in 0..<40 {
            let bob = try await fixture.person("bob-\(order)", device: order + 1)
            let original = "\(1000 + order)"
            let notifications = try year(fixture, original, for: bob.user, from: start)
            let again = notifications.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            for body in order == 0 ? notifications : (notifications + again).shuffled(using: &random) {
                try await fixture.services.subscriptions.handleAppStoreNotification(body)
            }
            let id = try #require(SubscriptionID(.sandbox, original))
            let record = try #require(try await fixture.components.subscriptions.records.record(id))
            #expect(record.owner == bob.user)
            let account = try #require(try await fixture.components.accounts.account(bob.user))
            let given = try #require(account.value.subscriptions?.first)
            if let expected {
                try #require(record.entitlement == expected.entitlement, "order \(order)")
                try #require(given.periods == expected.given, "order \(order)")
            } else {
                expected = (record.entitlement, given.periods)
                #expect(
                    given.periods.map { "\($0.productID) \($0.startsAt.timeIntervalSince(start) / day)" } == [
                        "\(TestAppStore.basic) 45.0", "\(TestAppStore.premium) 10.0",
                    ])
            }
        }
    }
}
