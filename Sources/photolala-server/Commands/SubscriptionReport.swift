import Foundation
import Subscriptions

/// Formats a subscription's record for an operator.
struct SubscriptionReport: CustomStringConvertible {
    let description: String

    init(_ record: SubscriptionDocument, _ plan: TierPlan) {
        var lines = [
            "subscription \(record.id.originalTransactionID), \(record.id.environment.rawValue)",
            "  account    \(record.owner.map { "\($0)" } ?? "none")"
                + (record.boundAt.map { ", since \($0.ISO8601Format())" } ?? ""),
        ]
        if let previous = record.previousOwner {
            lines.append("  previous   \(previous); moved \(Counted.text(record.moves, "time"))")
        }
        for period in record.entitlement.periods {
            let tier = plan.tier(of: period.productID)?.rawValue ?? "no tier"
            let times = "\(period.startsAt.ISO8601Format()) to \(period.endsAt.ISO8601Format())"
            lines.append("  tier       \(tier) from \(times)")
        }
        for one in record.history.transactions {
            var text = "\(one.productID), bought \(one.purchasedAt), until \(one.expiresAt), signed \(one.signedAt)"
            if let date = one.revokedAt { text += ", revoked \(date)" }
            if one.isUpgraded { text += ", upgraded" }
            if one.ownership == .familyShared { text += ", family shared" }
            lines.append("  purchase   \(one.id): \(text)")
        }
        if let renewal = record.history.renewal {
            let next = renewal.nextProductID ?? "nothing"
            let intent = renewal.willRenew ? "renews as \(next)" : "does not renew"
            let retry = renewal.isInBillingRetry ? ", last charge failed" : ""
            lines.append("  renewal    \(intent)\(retry), signed \(renewal.signedAt)")
        }
        for one in record.history.notifications {
            let type = [one.type, one.subtype].compactMap { $0 }.joined(separator: " ")
            lines.append("  notified   \(one.signedAt) \(type): \(one.effect.rawValue) (\(one.id))")
        }
        description = lines.joined(separator: "\n")
    }
}
