import Foundation
import PhotolalaAPI
import Subscriptions

extension SubscriptionService {
    /// The maximum age of Apple's signature if a transaction alone identifies the buyer, in seconds.
    static var transactionMaximumAge: TimeInterval { 600 }

    /// Returns a ticket with which another account can take over one of the caller's subscriptions. One read.
    package func moveTicket(_ request: MoveTicketRequest, caller: Caller) async throws(ServiceError)
        -> MoveTicketResponse
    {
        guard subscriptions.verifier != nil else { throw .purchasesNotConfigured }
        try sensitiveActions.requireRecentAuthentication(caller, for: .moveSubscription)
        let own = caller.account.value.subscriptions?.compactMap(\.record) ?? []
        guard let id = own.first(where: { $0.originalTransactionID == request.originalTransactionID }) else {
            throw .notFound
        }
        return try await mapServiceErrors {
            let ticket = try subscriptions.moveTickets.seal(
                try await subscriptions.records.record(id), from: caller.user)
            return MoveTicketResponse(moveTicket: ticket.sealed, expiresAt: ticket.expiresAt)
        }
    }

    /// Moves a subscription to the caller's account: with a ticket, which requires recent authentication in both
    /// accounts, or with a transaction that Apple has just signed and whose buyer named this account or none. A
    /// family-shared subscription never moves.
    package func moveSubscription(_ request: MoveRequest, caller: Caller) async throws(ServiceError) -> Subscription {
        guard subscriptions.verifier != nil else { throw .purchasesNotConfigured }
        let involved = InvolvedAccounts(accounts, caller.account)
        switch (request.moveTicket, request.signedTransaction) {
        case (let sealed?, nil):
            try sensitiveActions.requireRecentAuthentication(caller, for: .moveSubscription)
            let record = try await mapServiceErrors {
                try await subscriptions.records.move(
                    by: try subscriptions.moveTickets.open(sealed), to: caller.user, in: involved)
            }
            return try await reconciler.reconcileEntitlement(record, for: caller, in: involved)
        case (nil, let signed?):
            let transaction = try await verifyTransaction(signed)
            try requireRecentTransaction(transaction)
            try await requireNoOtherAccount(transaction.accountToken, than: caller.user, in: involved)
            // An older transaction of the same subscription may name no account although the newest names one.
            let known = try await mapServiceErrors { try await subscriptions.records.record(transaction.originalID) }
            try await requireNoOtherAccount(known?.history.accountToken, than: caller.user, in: involved)
            let record = try await mapServiceErrors {
                try await subscriptions.records.move(transaction, to: caller.user, in: involved)
            }
            return try await reconciler.reconcileEntitlement(record, for: caller, in: involved)
        default: throw .invalidRequest("Send moveTicket or signedTransaction.")
        }
    }

    /// Refuses a transaction that does not show its current owner: an old one may have been copied, and a family-shared
    /// one was bought by another person.
    func requireRecentTransaction(_ transaction: AppStoreTransaction) throws(ServiceError) {
        guard transaction.ownership == .purchased else { throw .familyShared }
        guard now().timeIntervalSince(transaction.signedAt.date) <= Self.transactionMaximumAge else {
            throw .transactionTooOld
        }
    }
}
