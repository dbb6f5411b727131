import Foundation
import PhotolalaTesting
import Subscriptions
import Testing

/// Tests the entitlements that facts give, regardless of their source. Times are days after a start.
@Suite struct EntitlementTests {
    private let id: SubscriptionID
    private let start: Double = 1_790_000_000_000

    init() throws { id = try #require(SubscriptionID(.sandbox, "1")) }

    private func time(_ day: Double) throws -> AppStoreTime {
        try #require(AppStoreTime(milliseconds: start + day * 86_400_000))
    }

    private func transaction(
        _ number: String, _ product: String = "a", from: Double, to: Double, signed: Double? = nil,
        revoked: Double? = nil, isUpgraded: Bool = false
    ) throws -> AppStoreTransaction {
        AppStoreTransaction(
            id: number, originalID: id, productID: product, purchasedAt: try time(from), expiresAt: try time(to),
            signedAt: try time(signed ?? from), revokedAt: try revoked.map(time), isUpgraded: isUpgraded)
    }

    /// Returns the periods as `product from–to`, the newest first.
    private func periods(
        _ transactions: [AppStoreTransaction], _ renewals: [RenewalInfo] = []
    ) -> [String] {
        var history = SubscriptionHistory()
        for transaction in transactions { history.add(transaction) }
        for renewal in renewals { history.add(renewal) }
        func day(_ date: Date) -> String { String(format: "%g", (date.timeIntervalSince1970 - start / 1000) / 86_400) }
        return Entitlement(history).periods.map { "\($0.productID) \(day($0.startsAt))–\(day($0.endsAt))" }
    }

    @Test func `a purchase gives its product until it expires`() throws {
        #expect(periods([try transaction("1", from: 0, to: 30)]) == ["a 0–30"])
    }

    @Test func `a renewal starts where the last period ends, and periods do not add up`() throws {
        let both = [try transaction("1", from: 0, to: 30), try transaction("2", from: 30, to: 60)]
        #expect(periods(both) == ["a 30–60", "a 0–30"])
    }

    @Test func `an upgrade takes effect at once and ends the previous period`() throws {
        let upgraded = [
            try transaction("1", from: 0, to: 30), try transaction("2", "b", from: 10, to: 40),
        ]
        #expect(periods(upgraded) == ["b 10–40", "a 0–10"])
        #expect(
            periods(upgraded + [try transaction("1", from: 0, to: 30, signed: 11, isUpgraded: true)]) == ["b 10–40"])
    }

    @Test func `a refunded upgrade does not restore the replaced period`() throws {
        let refunded = [
            try transaction("1", from: 0, to: 30), try transaction("2", "b", from: 10, to: 40, signed: 12, revoked: 12),
        ]
        #expect(periods(refunded) == ["a 0–10"])
    }

    @Test func `a refund revokes only the period that it names`() throws {
        let first = try transaction("1", from: 0, to: 30)
        let second = try transaction("2", from: 30, to: 60)
        let refund = try transaction("1", from: 0, to: 30, signed: 40, revoked: 40)
        #expect(periods([first, second, refund]) == ["a 30–60"])
    }

    @Test func `a reversed refund restores the period`() throws {
        let refund = try transaction("1", from: 0, to: 30, signed: 5, revoked: 5)
        let reversal = try transaction("1", from: 0, to: 30, signed: 6)
        #expect(periods([reversal, refund]) == ["a 0–30"])
    }

    @Test func `a renewal that is charged early starts when the previous period ends`() throws {
        let early = [try transaction("1", from: 0, to: 30), try transaction("2", "b", from: 30, to: 60, signed: 29)]
        #expect(periods(early) == ["b 30–60", "a 0–30"])
    }

    @Test func `an extension moves the end of the period`() throws {
        let extended = [try transaction("1", from: 0, to: 30), try transaction("1", from: 0, to: 44, signed: 20)]
        #expect(periods(extended) == ["a 0–44"])
    }

    private func renewal(signed: Double, grace: Double? = nil, next: String = "a") throws -> RenewalInfo {
        RenewalInfo(
            originalID: id, signedAt: try time(signed), willRenew: true, nextProductID: next,
            isInBillingRetry: grace != nil, gracePeriodEndsAt: try grace.map(time))
    }

    @Test func `a grace period extends the entitlement until its end`() throws {
        #expect(periods([try transaction("1", from: 0, to: 30)], [try renewal(signed: 30, grace: 46)]) == ["a 0–46"])
    }

    @Test func `an earlier grace period does not extend a later purchase`() throws {
        let recovered = [try transaction("1", from: 0, to: 30), try transaction("2", from: 33, to: 40)]
        #expect(periods(recovered, [try renewal(signed: 30, grace: 46)]) == ["a 33–40", "a 0–30"])
    }

    @Test func `a grace period does not restore a refunded period`() throws {
        let refunded = try transaction("1", from: 0, to: 30, signed: 31, revoked: 31)
        #expect(periods([refunded], [try renewal(signed: 30, grace: 46)]) == [])
    }

    @Test func `a downgrade takes effect at the renewal`() throws {
        var history = SubscriptionHistory()
        history.add(try transaction("1", "b", from: 0, to: 30))
        history.add(try renewal(signed: 10, next: "a"))
        let entitlement = Entitlement(history)
        #expect(entitlement.periods.map(\.productID) == ["b"])
        #expect(entitlement.nextProductID == "a")
    }

    @Test func `facts give the same history in any order and number of times`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let facts = try (0..<Int.random(in: 2...14, using: &random)).map { _ -> AppStoreTransaction in
                let number = Int.random(in: 0...11, using: &random)
                let isRefunded = Int.random(in: 0..<4, using: &random) == 0
                return try transaction(
                    "\(number)", ["a", "b"].randomElement(using: &random) ?? "a", from: Double(number) * 30,
                    to: Double(number) * 30 + Double.random(in: 1...40, using: &random),
                    signed: Double(number) * 30 + Double(Int.random(in: 0...5, using: &random)),
                    revoked: isRefunded ? Double(number) * 30 + 2 : nil,
                    isUpgraded: Int.random(in: 0..<5, using: &random) == 0)
            }
            let renewals = try (0..<3).map { _ in
                try renewal(
                    signed: Double(Int.random(in: 0...4, using: &random)) * 30,
                    grace: Bool.random(using: &random) ? Double.random(in: 1...400, using: &random) : nil)
            }
            var first = SubscriptionHistory()
            for fact in facts { first.add(fact) }
            for renewal in renewals { first.add(renewal) }
            var second = SubscriptionHistory()
            for renewal in (renewals + renewals).shuffled(using: &random) { second.add(renewal) }
            for fact in (facts + facts.prefix(5)).shuffled(using: &random) { second.add(fact) }
            try #require(first == second)
            try #require(Entitlement(first) == Entitlement(second))
        }
    }

    @Test func `notifications give the same history in any order and number of times`() throws {
        var random = SeededGenerator(seed: 9)
        let types = [
            ("SUBSCRIBED", "INITIAL_BUY"), ("DID_RENEW", nil), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD"), ("REFUND", nil),
            ("REFUND_REVERSED", nil), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("EXPIRED", "VOLUNTARY"),
            ("TOMORROW", nil),
        ]
        for _ in 0..<10_000 {
            let told = try (0..<Int.random(in: 2...12, using: &random)).map { place -> AppStoreNotification in
                let number = Int.random(in: 0...9, using: &random)
                let signed = Double(number) * 30 + Double(Int.random(in: 0...20, using: &random))
                let isRefunded = Int.random(in: 0..<4, using: &random) == 0
                let (type, subtype) = types.randomElement(using: &random) ?? ("TEST", nil)
                return AppStoreNotification(
                    id: "\(place)", type: type, subtype: subtype, signedAt: try time(signed), subscription: id,
                    transaction: try transaction(
                        "\(number)", ["a", "b"].randomElement(using: &random) ?? "a", from: Double(number) * 30,
                        to: Double(number) * 30 + 30, signed: signed, revoked: isRefunded ? signed : nil),
                    renewal: Bool.random(using: &random)
                        ? try renewal(signed: signed, grace: Bool.random(using: &random) ? signed + 16 : nil) : nil)
            }
            var first = SubscriptionHistory()
            for notification in told { first.add(notification) }
            var second = SubscriptionHistory()
            for notification in (told + told.prefix(4)).shuffled(using: &random) { second.add(notification) }
            try #require(first == second)
            try #require(Entitlement(first) == Entitlement(second))
        }
    }
}
