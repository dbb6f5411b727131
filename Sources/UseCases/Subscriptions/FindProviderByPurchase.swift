import Accounts
import PhotolalaAPI
import Subscriptions

extension Services {
    /// Returns the providers of the account that a freshly signed purchase pays for, to help its owner sign in. Opens
    /// no session. Two reads.
    package func findProvider(by purchase: AppStorePurchase) async throws(ServiceError) -> ForgottenProvider {
        let transaction = try await verifiedTransaction(purchase.signedTransaction)
        try requireRecentTransaction(transaction)
        return try await mapServiceErrors {
            let record = try await subscriptions.records.record(transaction.originalID)
            guard let user = record?.owner ?? transaction.accountToken.map(UserID.init(uuid:)),
                let account = try await accounts.account(user)
            else { return ForgottenProvider(hints: []) }
            return ForgottenProvider(hints: account.value.disclosableProviders.map(AccountHint.init))
        }
    }
}
