import PhotolalaAPI

/// The accounts that the records of subscriptions name.
package protocol SubscriptionAccounts: Sendable {
    /// Returns whether an account exists and is not closed.
    func isUsable(_ user: UserID) async throws(SubscriptionError) -> Bool

    /// Lists a subscription in an account, so that the erasure of the account finds the subscription's record.
    /// - Returns: `false` if the account does not exist or is closed.
    func list(_ id: SubscriptionID, in user: UserID) async throws(SubscriptionError) -> Bool
}
