import Accounts
import Foundation
import PhotolalaAPI

/// Verifies that a person has an identity that is to be moved and one of the account that gets it.
package struct MoveProofs: Sendable {
    let accounts: AccountDirectory
    let challenges: Challenges
    let verifiers: [ProviderName: any IdentityTokenVerifier]

    /// An ID token whose nonce is the challenge of the move.
    package struct Token: Sendable {
        let provider: ProviderName
        let idToken: String

        package init(provider: ProviderName, idToken: String) {
            self.provider = provider
            self.idToken = idToken
        }
    }

    /// The tokens prove no move to the account.
    package enum Refusal: Error, Equatable {
        /// The second token is of no active identity of the account, of one that was linked within the last day, or of
        /// one that is being unlinked.
        case notProven
    }

    /// A move that the person proved.
    package struct Proven: Sendable {
        package let provider: ProviderName
        package let subject: String
        /// The link of the account that gets the identity.
        package let proof: LinkID
    }

    /// Creates the nonce of both tokens.
    package func makeChallenge(to user: UserID) throws(ServiceError) -> Challenge {
        do { return try challenges.make(.move(to: user)) } catch { throw .internal("\(error)") }
    }

    /// Verifies both tokens and spends their challenge. One write.
    /// - Parameters:
    ///   - moving: proves the identity to move.
    ///   - own: proves an identity of the account that gets it.
    /// - Throws: `Refusal`, `ServiceError`, `AccountSupport.Refusal.notFound`.
    package func verify(
        _ moving: Token, and own: Token, challenge text: String, to user: UserID
    ) async throws -> Proven {
        let challenge: Challenges.VerifiedChallenge
        do { challenge = try challenges.verify(text, .move(to: user)) } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
        let identity = try await verify(moving, challenge)
        let ownIdentity = try await verify(own, challenge)
        do { try await challenges.consume(challenge) } catch { throw ServiceError(error) { .invalidChallenge($0) } }
        guard let account = try await accounts.account(user) else { throw AccountSupport.Refusal.notFound }
        guard let found = try await accounts.link(of: ownIdentity, in: account),
            !found.link.invalidatesToken(ownIdentity.issuedAt),
            account.value.canProveMove(found.link, at: accounts.now()),
            found.link.linkedAt.addingTimeInterval(AccountDirectory.moveDelay) <= accounts.now()
        else { throw Refusal.notProven }
        return Proven(provider: identity.provider, subject: identity.subject, proof: found.link.id)
    }

    private func verify(
        _ token: Token, _ challenge: Challenges.VerifiedChallenge
    ) async throws(ServiceError) -> VerifiedIdentity {
        guard let verifier = verifiers[token.provider] else { throw .unknownProvider(token.provider) }
        let identity: VerifiedIdentity
        do {
            identity = try await verifier.verify(token.idToken)
        } catch .providerUnavailable {
            throw .unavailable("provider not reachable")
        } catch {
            throw .invalidToken(error)
        }
        do {
            try challenges.requireNonce(identity.nonce, of: challenge, lacksNonceSupport: false)
        } catch {
            throw ServiceError(error) { .invalidChallenge($0) }
        }
        return identity
    }
}

extension AccountDocument {
    /// Returns whether an identity can prove that its owner wants another one to be moved to this account.
    func canProveMove(_ link: AccountLink, at time: Date) -> Bool {
        link.state == .active && link.pendingUnlink == nil && isLinked(link.id, at: time)
    }

    /// Returns whether the person proved a move, and the identity that proved it still can: its owner may have unlinked it,
    /// because someone else used it.
    func isProven(_ arriving: ArrivingIdentity, at time: Date) -> Bool {
        guard let link = arriving.proof.flatMap({ self.link($0) }) else { return false }
        return canProveMove(link, at: time)
    }
}
