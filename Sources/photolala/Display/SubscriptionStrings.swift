import PhotolalaAPI

/// Formats the source and the renewal of a tier.
enum SubscriptionStrings {
    /// Returns the line; `nil` if there is neither a subscription nor a trial.
    static func line(_ subscription: Subscription) -> String? {
        if let end = subscription.trialEndsAt { return "Free trial until \(DateText.day(end))" }
        guard let bought = subscription.appStore else { return nil }
        let name = "Subscription \(Terminal.sanitized(bought.originalTransactionID))"
        let product = Terminal.sanitized(bought.productID)
        let end = DateText.day(bought.endsAt ?? bought.expiresAt)
        let next = bought.nextTier.map { " as \($0.rawValue)" } ?? ""
        return switch bought.status {
        case .active where bought.willRenew == true: "\(name) (\(product)): renews on \(end)\(next)"
        case .active: "\(name) (\(product)): until \(end)"
        case .gracePeriod:
            "\(name) (\(product)): payment failed; ends on \(end) unless an App Store retry succeeds"
        case .billingRetry: "\(name) (\(product)): payment failed; ended on \(end)"
        case .revoked: "\(name) (\(product)): refunded or no longer shared"
        case .expired: "\(name) (\(product)): ended on \(end)"
        default: "\(name) (\(product)): \(Terminal.sanitized(bought.status.rawValue))"
        }
    }
}
