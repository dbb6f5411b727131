import Foundation
import PhotolalaAPI
import Secrets

/// An account's permission to move one of its subscriptions to another account.
package struct MoveTicket: Codable, Sendable, Equatable {
    package let subscription: SubscriptionID
    package let from: UserID
    /// The number of moves so far; the ticket becomes invalid when the subscription moves again.
    package let moves: Int
    package let expiresAt: Date
}

/// Creates and opens move tickets. A ticket is a bearer token: with recent authentication, any other account can use it
/// to take the subscription over. Valid for 10 minutes and one move.
package struct MoveTickets: Sendable {
    /// The lifetime of a ticket, in seconds.
    package static let lifetime: TimeInterval = 600

    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(keyRing: KeyRing, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    /// Seals a ticket for one of an account's subscriptions.
    /// - Throws: `notFound` if the subscription belongs to another account; `familyShared`.
    package func seal(
        _ record: SubscriptionDocument?, from user: UserID
    ) throws(SubscriptionError) -> (sealed: String, expiresAt: Date) {
        guard let record, record.owner == user else { throw .notFound }
        guard !record.entitlement.isFamilyShared else { throw .familyShared }
        let expiresAt = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Self.lifetime).rounded(.down))
        let ticket = MoveTicket(subscription: record.id, from: user, moves: record.moves, expiresAt: expiresAt)
        do {
            let bytes = try JSONEncoder().encode(ticket)
            return (
                try keyRing.seal(bytes, for: .moveTicket, context: Self.context, randomness: randomness), expiresAt
            )
        } catch let error as SecretsError {
            throw .secrets(error)
        } catch {
            throw .secrets(.sealFailed)
        }
    }

    /// Opens a ticket.
    /// - Throws: `invalidTicket`.
    package func open(_ sealed: String) throws(SubscriptionError) -> MoveTicket {
        guard sealed.utf8.count <= 2048,
            let bytes = try? keyRing.open(sealed, for: .moveTicket, context: Self.context),
            let ticket = try? JSONDecoder().decode(MoveTicket.self, from: bytes), ticket.expiresAt > now()
        else { throw .invalidTicket }
        return ticket
    }

    /// The context is constant because any account may use a ticket.
    private static let context = "move"
}
