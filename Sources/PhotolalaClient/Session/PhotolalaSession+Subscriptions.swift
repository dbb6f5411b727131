import PhotolalaAPI

extension PhotolalaSession {
    /// Presents an App Store purchase. The first account that does so owns the subscription. Presenting it again
    /// changes nothing.
    /// - Parameter signedTransaction: The `jwsRepresentation` from StoreKit 2, verified or not.
    /// - Returns: The account's subscription after the call.
    /// - Throws: `invalidTransaction`, `wrongApp`, `wrongEnvironment`, `notASubscription`, `unknownProduct`,
    ///   `subscriptionTaken`, `notAllowed`.
    @discardableResult
    public func presentPurchase(signedTransaction: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.presentPurchase, body: AppStorePurchase(signedTransaction: signedTransaction)).value
    }

    /// Returns a ticket with which another account can take over one of this account's subscriptions, valid once within
    /// 10 minutes. Requires authentication within the last 10 minutes.
    /// - Throws: `notFound`, `familyShared`, `reauthenticationRequired`.
    public func moveTicket(originalTransactionID: String) async throws(PhotolalaError) -> MoveTicketResponse {
        try await authorized(.moveTicket, body: MoveTicketRequest(originalTransactionID: originalTransactionID)).value
    }

    /// Takes over the subscription for which another account issued a ticket. Requires authentication within the last
    /// 10 minutes.
    /// - Throws: `invalidMoveTicket`, `reauthenticationRequired`.
    @discardableResult
    public func moveSubscription(ticket: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.moveSubscription, body: MoveRequest(moveTicket: ticket)).value
    }

    /// Takes over a subscription from any account with its buyer's transaction.
    /// - Parameter signedTransaction: A transaction that Apple signed within the last 10 minutes, for this account or
    ///   without an account.
    /// - Throws: `transactionTooOld`, `subscriptionTaken`, `familyShared`, `invalidTransaction`.
    @discardableResult
    public func moveSubscription(signedTransaction: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.moveSubscription, body: MoveRequest(signedTransaction: signedTransaction)).value
    }

    /// Returns the providers that open the account of a purchase, for a user who forgot them. Never signs in.
    /// - Parameter signedTransaction: A purchase by the calling user that Apple signed within the last 10 minutes.
    /// - Throws: `transactionTooOld`, `familyShared`, `invalidTransaction`.
    public func forgottenProvider(signedTransaction: String) async throws(PhotolalaError) -> [ProviderName] {
        try await connection.send(
            .forgottenProvider, body: AppStorePurchase(signedTransaction: signedTransaction)
        ).value.hints.map(\.provider)
    }
}
