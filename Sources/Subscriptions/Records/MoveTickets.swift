import Foundation
import PhotolalaAPI
import Secrets

/// An account's word that one of its subscriptions may go to another account.
package struct MoveTicket: Codable, Sendable, Equatable {
    package let subscription: SubscriptionID
    package let from: UserID
    /// How often the subscription had moved: once it moves again, the ticket is worth nothing.
    package let moves: Int
    package let expiresAt: Date
}

/// Makes and reads move tickets. Whoever holds one, signed in to another account with a recent proof, gets the
/// subscription; good for 10 minutes and one move.
package struct MoveTickets: Sendable {
    /// How long one is good, in seconds.
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
    /// - Throws: `notFound` for one that is not its; `familyShared`.
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

    /// A ticket is for whoever it was given to.
    private static let context = "move"
}
