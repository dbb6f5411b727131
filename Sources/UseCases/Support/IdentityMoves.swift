import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import Operators
import PhotolalaAPI

/// Moves an identity from one account to another for a person who cannot do it: one who lost the other identities, or
/// created a second account by mistake. Two operators decide, or one if the person proved an identity of each account.
package struct IdentityMoves: Sendable {
    let accounts: AccountDirectory
    let providerTokens: ProviderTokens
    let calls: OperatorCalls
    let logger: Logger

    package init(
        accounts: AccountDirectory, providerTokens: ProviderTokens, calls: OperatorCalls, logger: Logger
    ) {
        self.accounts = accounts
        self.providerTokens = providerTokens
        self.calls = calls
        self.logger = logger
    }

    /// Why a move was refused. Nothing was changed, except that a stopped or expired move is cancelled.
    package enum Refusal: Error, Equatable {
        /// The identity is not linked, or its link is not active.
        case notLinked
        /// The identity is linked to the account that it is to be moved to.
        case sameAccount
        /// One of the accounts is disabled or erased, or the one that is to get the identity is being deleted.
        case accountClosed
        case inTeamTransfer
        case lastProvider
        case tooManyLinks
        /// A move to this account is requested already.
        case requested(UUID)
        /// The move is not requested, or it was stopped, has expired or is completed.
        case notRequested
        case tooEarly(effectiveAt: Date)
        /// The operator who requested the move must not complete it.
        case secondOperatorRequired
        /// The identity has left the other account. Completing it again links it.
        case unfinished(UUID)
        /// The identity was bound to a third account while the move was interrupted.
        case identityTaken
    }

    /// Requests a move, which can be completed a day later. Both accounts record it, and their owners get to know it by an
    /// event; ending all sessions of either account stops it.
    /// - Parameter proof: the link of the account that the person proved, with the identity; `nil` for none.
    /// - Throws: `Refusal`, `ServiceError`, `AccountSupport.Refusal.notFound`.
    package func request(
        _ provider: ProviderName, _ subject: String, to user: UserID, proof: LinkID? = nil, by key: OperatorKey,
        reason: OperatorReason
    ) async throws -> RequestedMove {
        let target = try await account(user)
        if let arriving = target.value.arrival {
            switch try await accounts.progress(of: arriving, to: user) {
            case .open: throw Refusal.requested(arriving.move)
            case .departed: throw Refusal.unfinished(arriving.move)
            case .closed: break
            }
        }
        guard let found = try await accounts.lookUp(provider, subject), found.link.state == .active else {
            throw Refusal.notLinked
        }
        let source = found.account.value.serviceUserID
        guard source != user else { throw Refusal.sameAccount }
        guard !found.account.value.isInTransfer(found.link.id) else { throw Refusal.inTeamTransfer }
        // The log must also name the account that the identity leaves.
        try await calls.begin(.requestMove, by: key, on: source, reason: reason.text)
        return try await refusing(found.account.value.departure?.move) {
            let arriving = try await accounts.requestMove(
                of: found, subject: subject, to: target, by: MovingOperator(keyID: key.id, name: key.name),
                proof: proof,
                reason: reason)
            return RequestedMove(
                arriving, from: MoveSource(user: source, link: found.link.id, subject: subject), isProven: proof != nil)
        }
    }

    /// Completes a requested move.
    /// - Returns: the account that the identity left.
    package func complete(
        _ move: UUID, to user: UserID, by key: OperatorKey, reason: OperatorReason
    ) async throws -> UserID {
        let target = try await account(user)
        guard let arriving = target.value.arrival, arriving.move == move else { throw Refusal.notRequested }
        let source = try accounts.moveSource(of: arriving, user: user)
        guard arriving.effectiveAt <= accounts.now() else { throw Refusal.tooEarly(effectiveAt: arriving.effectiveAt) }
        let isOther = isOther(key, than: arriving.requestedBy)
        let isPermitted = { (document: AccountDocument) in isOther || document.isProven(arriving, at: accounts.now()) }
        guard isPermitted(target.value) else { throw Refusal.secondOperatorRequired }
        try await calls.begin(.completeMove, by: key, on: source.user, reason: reason.text)
        return try await refusing(move) { try await complete(move, to: target, reason: reason, if: isPermitted) }
    }

    /// Cancels a requested move.
    package func cancel(to user: UserID, by key: OperatorKey, reason: OperatorReason) async throws {
        let target = try await account(user)
        guard let arriving = target.value.arrival else { throw Refusal.notRequested }
        guard try await accounts.progress(of: arriving, to: user) != .departed || target.value.state != .active else {
            throw Refusal.unfinished(arriving.move)
        }
        let source = try accounts.moveSource(of: arriving, user: user)
        try await calls.begin(.cancelMove, by: key, on: source.user, reason: reason.text)
        try await refusing(arriving.move) {
            guard target.value.state != .active else {
                guard try await accounts.cancelMove(to: target, reason: reason) else { throw Refusal.notRequested }
                return
            }
            // Also if the identity has left: it stays free, because this account would not open.
            try await accounts.forgetMove(arriving.move, from: source.user, to: target, cancelledBy: reason)
        }
    }

    /// Cancels moves that were stopped or have expired, and finishes those that were interrupted. One listing if no move is
    /// requested.
    package func finishMoves() async throws(ServiceError) {
        var last: AccountDirectory.MoveMark?
        repeat {
            let after = last
            let page = try await mapServiceErrors { try await accounts.moveMarks(after: after) }
            for mark in page.marks {
                do {
                    try await finish(mark)
                } catch {
                    logger.warning(
                        .moveUnfinished, "a move of an identity could not be finished",
                        metadata: ["reason": "\(ServiceError(error))"])
                }
            }
            last = page.isTruncated ? page.marks.last : nil
        } while last != nil
    }

    private func finish(_ mark: AccountDirectory.MoveMark) async throws {
        guard let target = try await accounts.account(mark.user), target.value.isUsable,
            let arriving = target.value.arrival, arriving.move == mark.move
        else {
            // A request writes the mark first.
            guard mark.createdAt.addingTimeInterval(3600) < accounts.now() else { return }
            return try await accounts.removeMark(of: mark.move, to: mark.user)
        }
        switch try await accounts.progress(of: arriving, to: mark.user) {
        case .open: return
        case .closed: try await accounts.cancelMove(to: target, reason: nil)
        case .departed:
            guard let reason = arriving.completion.flatMap({ OperatorReason($0) }) else { return }
            _ = try await complete(arriving.move, to: target, reason: reason) { _ in true }
        }
    }

    private func complete(
        _ move: UUID, to target: Stored<AccountDocument>, reason: OperatorReason,
        if isPermitted: (AccountDocument) -> Bool
    ) async throws -> UserID {
        let (begun, source) = try await accounts.beginMove(move, to: target, reason: reason, if: isPermitted)
        let found = try await accounts.finishMove(to: begun, from: source, reason: reason)
        try await moveTokens(of: source, to: found)
        try await accounts.forgetMove(move, from: source.user, to: found.account)
        return source.user
    }

    private func isOther(_ key: OperatorKey, than other: MovingOperator) -> Bool {
        key.id != other.keyID && key.name != other.name
    }

    private func account(_ user: UserID) async throws -> Stored<AccountDocument> {
        guard let account = try await accounts.usableAccount(user) else { throw AccountSupport.Refusal.notFound }
        return account
    }

    /// Moves the provider's tokens along: the daily check revokes those of removed links, and the provider would revoke the
    /// moved identity with them.
    private func moveTokens(of source: MoveSource, to found: FoundAccount) async throws {
        guard let stored = try await providerTokens.tokens(of: source.link, source.user) else { return }
        for token in try providerTokens.open(stored.value, source.user) {
            try await providerTokens.store(
                token, of: found.link.provider, link: found.link.id, user: found.account.value.serviceUserID,
                at: accounts.now())
        }
        try await providerTokens.remove(stored, source.user)
    }

    /// - Parameter move: the move that an unfinished one is named by.
    private func refusing<Value>(_ move: UUID?, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch AccountError.noIdentityMove {
            throw Refusal.notRequested
        } catch AccountError.identityHasLeft {
            guard let move else { throw Refusal.notRequested }
            throw Refusal.unfinished(move)
        } catch AccountError.authenticationEnded {
            throw Refusal.secondOperatorRequired
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
