import Accounts
import PhotolalaAPI
import Subscriptions

extension Services {
    /// Tells who has just got a signed transaction of their own purchase which providers open the account that it pays
    /// for. It opens nothing. Two reads.
    package func findProvider(by purchase: AppStorePurchase) async throws(FlowError) -> ForgottenProvider {
        let transaction = try await verifiedTransaction(purchase.signedTransaction)
        try requireFresh(transaction)
        return try await step {
            let record = try await subscriptions.records.record(transaction.originalID)
            guard let user = record?.owner ?? transaction.accountToken.map(UserID.init(uuid:)),
                let account = try await accounts.account(user)
            else { return ForgottenProvider(hints: []) }
            return ForgottenProvider(hints: account.value.providersToName.map(AccountHint.init))
        }
    }
}
