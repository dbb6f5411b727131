import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Moves an identity from one account to another for a person who cannot do it: one who lost the other identities, or
/// created a second account by mistake. Two operators decide, or one if the person proved an identity of each account.
package struct IdentityMoves: Sendable {
    let accounts: AccountDirectory
    let providerTokens: ProviderTokens
    let verifiers: [ProviderName: any IdentityTokenVerifier]
    let logger: Logger

    package init(
        accounts: AccountDirectory, providerTokens: ProviderTokens,
        verifiers: [ProviderName: any IdentityTokenVerifier], logger: Logger
    ) {
        self.accounts = accounts
        self.providerTokens = providerTokens
        self.verifiers = verifiers
        self.logger = logger
    }

    /// How old an ID token may be that proves an identity, in seconds.
    package static let tokenLifetime: TimeInterval = 600

    /// An identity, as the operator names it or the person proves it.
    package enum Identity: Sendable {
        case subject(ProviderName, String)
        case idToken(ProviderName, String)
    }

    /// Why a move was refused. Nothing was changed.
    package enum Refusal: Error, Equatable {
        /// The identity is not linked, or its link is not active.
        case notLinked
        /// The identity is linked to the account that it is to be moved to.
        case sameAccount
        /// One of the accounts is disabled, or the one that is to get the identity is being deleted.
        case accountClosed
        /// The ID token proves no active identity of the account, or one that was linked within the last day.
        case notProven
        case inTeamTransfer
        case lastProvider
        case tooManyLinks
        /// A move to this account is requested already, or is being completed.
        case requested(effectiveAt: Date)
        /// None is requested, or it was cancelled, has expired or is completed.
        case notRequested
        case tooEarly(effectiveAt: Date)
        /// The operator who requested the move must not complete it.
        case secondOperatorRequired
        /// The identity was bound to a third account while the move was interrupted.
        case identityTaken
    }

    /// A requested move.
    package struct Requested: Sendable, Equatable {
        /// The account that the identity leaves.
        package let source: UserID
        package let effectiveAt: Date
        /// Whether an operator other than the requesting one must complete it.
        package let needsSecondOperator: Bool
    }

    /// Finds the account that an identity would leave. Two or three reads.
    package func source(of identity: Identity) async throws -> FoundAccount {
        let (provider, subject) = try await resolve(identity)
        guard let found = try await accounts.lookUp(provider, subject), found.link.state == .active else {
            throw Refusal.notLinked
        }
        return found
    }

    /// Requests a move, which can be completed a day later. Both accounts record it, and their owners get to know it by an
    /// event; ending all sessions of either account cancels it.
    /// - Parameters:
    ///   - proof: an ID token of another identity of the account that gets the identity; `nil` for none.
    /// - Throws: `Refusal`, `ServiceError`, `AccountSupport.Refusal.notFound`.
    package func request(
        _ identity: Identity, to user: UserID, proof: (provider: ProviderName, idToken: String)?,
        by requester: MovingOperator, reason: OperatorReason
    ) async throws -> Requested {
        let (provider, subject) = try await resolve(identity)
        let target = try await account(user)
        if let arriving = target.value.arrival, arriving.isOpen(at: accounts.now()) {
            throw Refusal.requested(effectiveAt: arriving.effectiveAt)
        }
        let found = try await source(of: .subject(provider, subject))
        guard found.account.value.serviceUserID != user else { throw Refusal.sameAccount }
        guard !found.account.value.isInTransfer(found.link.id) else { throw Refusal.inTeamTransfer }
        var isProven = false
        if let proof {
            try await requireIdentity(proof, of: target)
            if case .idToken = identity { isProven = true }
        }
        let arriving = try await refusing {
            try await accounts.requestMove(
                of: found, subject: subject, to: target, by: requester, isProven: isProven, reason: reason)
        }
        return Requested(
            source: found.account.value.serviceUserID, effectiveAt: arriving.effectiveAt,
            needsSecondOperator: !isProven)
    }

    /// Completes a requested move.
    /// - Returns: the account that the identity left.
    package func complete(to user: UserID, by operatorKey: MovingOperator, reason: OperatorReason) async throws
        -> UserID
    {
        let target = try await account(user)
        guard let arriving = target.value.arrival, arriving.isOpen(at: accounts.now()) else {
            throw Refusal.notRequested
        }
        guard arriving.effectiveAt <= accounts.now() else { throw Refusal.tooEarly(effectiveAt: arriving.effectiveAt) }
        guard arriving.isProven || isOther(operatorKey, than: arriving.requestedBy) else {
            throw Refusal.secondOperatorRequired
        }
        return try await refusing {
            let (begun, source) = try await accounts.beginMove(to: target, reason: reason)
            let tokens = try await takeTokens(of: source)
            let found = try await accounts.finishMove(to: begun, from: source, reason: reason)
            await store(tokens, for: found)
            return source.user
        }
    }

    /// Cancels a requested move.
    package func cancel(to user: UserID, reason: OperatorReason) async throws {
        let target = try await account(user)
        guard let arriving = target.value.arrival, arriving.completion == nil else { throw Refusal.notRequested }
        try await refusing { try await accounts.cancelMove(to: target, reason: reason) }
    }

    private func isOther(_ key: MovingOperator, than other: MovingOperator) -> Bool {
        key.keyID != other.keyID && key.name != other.name
    }

    private func account(_ user: UserID) async throws -> Stored<AccountDocument> {
        guard let account = try await accounts.account(user) else { throw AccountSupport.Refusal.notFound }
        return account
    }

    /// Returns the identity that an operator names. An ID token must be recent, because it proves that the person has the
    /// identity now.
    private func resolve(_ identity: Identity) async throws -> (ProviderName, String) {
        switch identity {
        case .subject(let provider, let subject): return (provider, subject)
        case .idToken(let provider, let token):
            return (provider, try await verify(provider, token).subject)
        }
    }

    private func verify(_ provider: ProviderName, _ token: String) async throws -> VerifiedIdentity {
        guard let verifier = verifiers[provider] else { throw ServiceError.unknownProvider(provider) }
        let identity: VerifiedIdentity
        do {
            identity = try await verifier.verify(token)
        } catch .providerUnavailable {
            throw ServiceError.unavailable("provider not reachable")
        } catch {
            throw ServiceError.invalidToken(error)
        }
        guard accounts.now().timeIntervalSince(identity.issuedAt) <= Self.tokenLifetime else {
            throw ServiceError.invalidToken(.notCurrent)
        }
        return identity
    }

    /// Requires that a token proves an identity of the account, by the rules for recent authentication.
    private func requireIdentity(
        _ proof: (provider: ProviderName, idToken: String), of account: Stored<AccountDocument>
    ) async throws {
        let identity = try await verify(proof.provider, proof.idToken)
        guard let found = try await accounts.link(of: identity, in: account),
            !found.link.invalidatesToken(identity.issuedAt),
            accounts.restriction(on: found.link.id, in: account.value) == nil
        else { throw Refusal.notProven }
    }

    /// Takes the provider's tokens from the account that the identity leaves: the daily check revokes those of removed
    /// links, and the provider would revoke the moved identity with them.
    private func takeTokens(of source: MoveSource) async throws -> [ProviderTokens.OpenedToken] {
        guard let stored = try await providerTokens.tokens(of: source.link, source.user) else { return [] }
        let opened = try providerTokens.open(stored.value, source.user)
        try await providerTokens.remove(stored, source.user)
        return opened
    }

    private func store(_ tokens: [ProviderTokens.OpenedToken], for found: FoundAccount) async {
        do {
            for token in tokens {
                try await providerTokens.store(
                    token, of: found.link.provider, link: found.link.id, user: found.account.value.serviceUserID,
                    at: accounts.now())
            }
        } catch {
            // Its next sign-in stores a new one.
            logger.error(
                .providerTokenNotStored, "storing a provider token or code failed", metadata: ["reason": "\(error)"])
        }
    }

    private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch AccountError.noIdentityMove {
            throw Refusal.notRequested
        } catch AccountError.accountNotUsable {
            throw Refusal.accountClosed
        } catch AccountError.noSuchLink {
            throw Refusal.notLinked
        } catch AccountError.lastProvider {
            throw Refusal.lastProvider
        } catch AccountError.tooManyLinks {
            throw Refusal.tooManyLinks
        } catch AccountError.identityTaken {
            throw Refusal.identityTaken
        }
    }
}
