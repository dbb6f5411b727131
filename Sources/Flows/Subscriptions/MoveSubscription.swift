import Accounts
import Foundation
import PhotolalaAPI
import Subscriptions

extension Services {
    /// How old Apple's signature may be where a transaction alone shows who bought, in seconds.
    static var freshTransaction: TimeInterval { 600 }

    /// A ticket with which another account may take one of the caller's subscriptions over. One read.
    package func moveTicket(_ request: MoveTicketRequest, caller: Caller) async throws(FlowError) -> MoveTicketAnswer {
        guard subscriptions.verifier != nil else { throw .purchasesNotTaken }
        try requireRecentProof(caller, for: .moveSubscription)
        let own = caller.account.value.subscriptions?.compactMap(\.record) ?? []
        guard let id = own.first(where: { $0.originalTransactionID == request.originalTransactionID }) else {
            throw .notFound
        }
        return try await step {
            let ticket = try subscriptions.moveTickets.seal(
                try await subscriptions.records.record(id), from: caller.user)
            return MoveTicketAnswer(moveTicket: ticket.sealed, expiresAt: ticket.expiresAt)
        }
    }

    /// Takes a subscription over: with a ticket, and so a recent proof in both accounts; or with a transaction that Apple has
    /// just signed, whose buyer named this account or none. Never one that somebody else of the family bought.
    package func moveSubscription(_ request: MoveRequest, caller: Caller) async throws(FlowError) -> Subscription {
        guard subscriptions.verifier != nil else { throw .purchasesNotTaken }
        switch (request.moveTicket, request.signedTransaction) {
        case (let sealed?, nil):
            try requireRecentProof(caller, for: .moveSubscription)
            let record = try await step {
                try await subscriptions.records.move(by: try subscriptions.moveTickets.open(sealed), to: caller.user)
            }
            return try await settlement.settle(record, for: caller)
        case (nil, let signed?):
            let transaction = try await verifiedTransaction(signed)
            try requireFresh(transaction)
            try await requireNoOtherAccount(transaction.accountToken, than: caller.user)
            // An older purchase of the same subscription may name nobody where the newest names somebody.
            let known = try await step { try await subscriptions.records.record(transaction.originalID) }
            try await requireNoOtherAccount(known?.history.accountToken, than: caller.user)
            let record = try await step { try await subscriptions.records.move(transaction, to: caller.user) }
            return try await settlement.settle(record, for: caller)
        default: throw .invalidRequest("Send moveTicket or signedTransaction.")
        }
    }

    /// Refuses a transaction that shows nothing about who holds it now: one that was signed long ago may have been copied,
    /// and one of the family's is not its holder's purchase.
    func requireFresh(_ transaction: AppStoreTransaction) throws(FlowError) {
        guard transaction.ownership == .purchased else { throw .familyShared }
        guard now().timeIntervalSince(transaction.signedAt.date) <= Self.freshTransaction else {
            throw .transactionTooOld
        }
    }
}
