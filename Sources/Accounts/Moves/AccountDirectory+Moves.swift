import Foundation
import ObjectStorage
import PhotolalaAPI

/// Moves an identity from one account to another, as operators request it.
///
/// Both accounts record the request, and each can cancel it: ending all sessions of an account drops the move. The
/// identity leaves the one account before it is bound to the other; a move that is interrupted in between is resumed by
/// completing it again.
extension AccountDirectory {
    /// How long the owners of both accounts can object to a move, in seconds.
    package static let moveDelay: TimeInterval = 86_400
    /// How long a move can be completed after that, in seconds.
    package static let moveLifetime: TimeInterval = 7 * 86_400

    /// Records the request in both accounts, first in the one that the identity leaves. Two writes.
    /// - Throws: `accountNotUsable` if the account is being deleted or disabled; `tooManyLinks`, `noSuchLink`,
    ///   `lastProvider`.
    package func requestMove(
        of found: FoundAccount, subject: String, to account: Stored<AccountDocument>, by requester: MovingOperator,
        isProven: Bool, reason: OperatorReason
    ) async throws(AccountError) -> ArrivingIdentity {
        let time = Date(timeIntervalSince1970: now().timeIntervalSince1970.rounded(.down))
        let (source, user) = (found.account.value.serviceUserID, account.value.serviceUserID)
        let arriving = ArrivingIdentity(
            move: randomness.uuid(), provider: found.link.provider,
            sealedSource: try seal(MoveSource(user: source, link: found.link.id, subject: subject), user),
            requestedAt: time, effectiveAt: time.addingTimeInterval(Self.moveDelay), requestedBy: requester,
            isProven: isProven)
        try account.value.requireArrivable()
        _ = try await change(found.account) { (document) throws(AccountError) in
            guard document.disabled == nil else { throw .accountNotUsable }
            try document.announceDeparture(
                DepartingIdentity(move: arriving.move, link: found.link.id, effectiveAt: arriving.effectiveAt),
                reason: reason, at: time)
        }
        _ = try await change(account) { (document) throws(AccountError) in
            try document.requireArrivable()
            document.arrival = arriving
            try document.audit.append(
                .init(
                    action: .providerMoveRequested, reason: reason, provider: arriving.provider,
                    effectiveAt: arriving.effectiveAt, at: time))
        }
        return arriving
    }

    /// Begins to complete a move: records the completing operator's reason. One read and one write.
    /// - Throws: `noIdentityMove` if the move was cancelled in either account; `accountNotUsable`, `tooManyLinks`,
    ///   `noSuchLink`, `lastProvider`.
    package func beginMove(
        to account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> (account: Stored<AccountDocument>, source: MoveSource) {
        let user = account.value.serviceUserID
        guard let arriving = account.value.arrival, var source = moveSource(of: arriving, user: user) else {
            throw .noIdentityMove
        }
        let leaving = try await self.account(source.user)?.value
        if leaving?.departure?.move == arriving.move, let link = try leaving?.departingLink(source.link) {
            // What the provider and the owner changed since the request counts.
            source.address = email(of: link, user: source.user)
            source.hasHint = link.emailHint != nil
            source.sessionsEndedAt = link.history?.sessionsEndedAt
        } else {
            // An interrupted attempt has unlinked the identity.
            let state = leaving?.link(source.link)?.state
            guard arriving.completion != nil, state == nil || state == .removing else { throw .noIdentityMove }
        }
        let sealed = try seal(source, user)
        let begun = try await change(account) { (document) throws(AccountError) in
            guard document.arrival?.move == arriving.move else { throw .noIdentityMove }
            try document.requireArrivable()
            document.arrival?.completion = reason.text
            document.arrival?.sealedSource = sealed
        }
        return (begun, source)
    }

    /// Completes a move that was begun: the identity leaves its account, and is linked to this one. May be repeated,
    /// from `beginMove` on, after a failure.
    /// - Throws: `noIdentityMove` if the move was cancelled; `identityTaken` if the identity was bound to another account
    ///   after an interrupted attempt; `accountNotUsable`, `noSuchLink`, `lastProvider`.
    /// - Returns: the account with the new link.
    package func finishMove(
        to account: Stored<AccountDocument>, from source: MoveSource, reason: OperatorReason
    ) async throws(AccountError) -> FoundAccount {
        guard let arriving = account.value.arrival else { throw .noIdentityMove }
        if let leaving = try await self.account(source.user), leaving.value.isUsable {
            let departed = try await change(leaving) { (document) throws(AccountError) in
                // Another attempt may have unlinked it.
                guard document.link(source.link).map({ $0.state != .removing }) ?? false else { return }
                try document.depart(arriving.move, reason: reason, at: now())
            }
            _ = try await finishUnlinkings(of: departed)
        }
        let identity = source.identity(arriving.provider, at: now())
        let linked: Stored<AccountDocument>
        do {
            linked = try await attach(identity, to: account, arriving: (arriving.move, source.sessionsEndedAt))
        } catch .identityTaken {
            _ = try await change(account) { (document) throws(AccountError) in
                try document.cancelMove(arriving.move, reason: reason, at: now())
            }
            throw .identityTaken
        }
        guard let found = try await link(of: identity, in: linked) else { throw .contended }
        return found
    }

    /// Cancels a move in both accounts.
    /// - Throws: `noIdentityMove` if none to this account is requested.
    package func cancelMove(to account: Stored<AccountDocument>, reason: OperatorReason) async throws(AccountError) {
        guard let arriving = account.value.arrival else { throw .noIdentityMove }
        let time = now()
        if let source = moveSource(of: arriving, user: account.value.serviceUserID),
            let leaving = try await self.account(source.user), leaving.value.isUsable
        {
            _ = try await change(leaving) { (document) throws(AccountError) in
                try document.cancelMove(arriving.move, reason: reason, at: time)
            }
        }
        _ = try await change(account) { (document) throws(AccountError) in
            try document.cancelMove(arriving.move, reason: reason, at: time)
        }
    }

    /// Returns where a moving identity comes from; `nil` if the seal cannot be opened.
    package func moveSource(of arriving: ArrivingIdentity, user: UserID) -> MoveSource? {
        open(arriving.sealedSource, for: .identityMove, user).flatMap {
            try? JSONDecoder().decode(MoveSource.self, from: Data($0.utf8))
        }
    }

    private func seal(_ source: MoveSource, _ user: UserID) throws(AccountError) -> String {
        guard let bytes = try? JSONEncoder().encode(source) else { throw .corrupted("identity move encoding") }
        return try seal(String(decoding: bytes, as: UTF8.self), for: .identityMove, user)
    }
}
