import PhotolalaAPI

extension PhotolalaSession {
    /// Presents a purchase of the App Store's: the first account that does has the subscription. Presented again, it
    /// changes nothing.
    /// - Parameter signedTransaction: `jwsRepresentation` of what StoreKit 2 gives, verified or not.
    /// - Returns: what the account may store from then on.
    /// - Throws: `invalidTransaction`, `wrongApp`, `wrongEnvironment`, `notASubscription`, `unknownProduct`,
    ///   `subscriptionTaken`, `notAllowed`.
    @discardableResult
    public func presentPurchase(signedTransaction: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.presentPurchase, body: AppStorePurchase(signedTransaction: signedTransaction)).value
    }

    /// A ticket with which another account may take one of this account's subscriptions over: good once, for 10
    /// minutes. Needs a proof of identity of the last 10 minutes.
    /// - Throws: `notFound`, `familyShared`, `reauthenticationRequired`.
    public func moveTicket(originalTransactionID: String) async throws(PhotolalaError) -> MoveTicketAnswer {
        try await authorized(.moveTicket, body: MoveTicketRequest(originalTransactionID: originalTransactionID)).value
    }

    /// Takes over the subscription that another account gave a ticket for. Needs a proof of identity of the last 10
    /// minutes.
    /// - Throws: `invalidMoveTicket`, `reauthenticationRequired`.
    @discardableResult
    public func moveSubscription(ticket: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.moveSubscription, body: MoveRequest(moveTicket: ticket)).value
    }

    /// Takes over a subscription from whichever account has it, on the word of its buyer.
    /// - Parameter signedTransaction: signed by Apple in the last 10 minutes, for this account or for none.
    /// - Throws: `transactionTooOld`, `subscriptionTaken`, `familyShared`, `invalidTransaction`.
    @discardableResult
    public func moveSubscription(signedTransaction: String) async throws(PhotolalaError) -> Subscription {
        try await authorized(.moveSubscription, body: MoveRequest(signedTransaction: signedTransaction)).value
    }

    /// Which providers open the account that a purchase pays for, for somebody who forgot. It signs nobody in.
    /// - Parameter signedTransaction: bought by the asking person, and signed by Apple in the last 10 minutes.
    /// - Throws: `transactionTooOld`, `familyShared`, `invalidTransaction`.
    public func forgottenProvider(signedTransaction: String) async throws(PhotolalaError) -> [ProviderName] {
        try await connection.send(
            .forgottenProvider, body: AppStorePurchase(signedTransaction: signedTransaction)
        ).value.hints.map(\.provider)
    }
}
