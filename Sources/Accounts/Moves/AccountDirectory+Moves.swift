import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Moves an identity from one account to another, as operators request it.
///
/// Both accounts record the request, and each can stop it: ending all sessions of an account drops its half. The identity
/// leaves the one account before it is bound to the other; a move that is interrupted in between is resumed, by the
/// operator or by the job, because the first account records that the identity has left.
extension AccountDirectory {
    /// How long the owners of both accounts can object to a move, in seconds.
    package static let moveDelay: TimeInterval = 86_400
    /// How long a move can be completed after that, in seconds.
    package static let moveLifetime: TimeInterval = 7 * 86_400

    /// How far a move to an account has come.
    package enum MoveProgress: Sendable {
        /// It can be completed, now or later.
        case open
        /// The identity has left the other account; the completion must be resumed.
        case departed
        /// It was stopped or has expired.
        case closed
    }

    /// Returns how far a move has come. One read.
    package func progress(
        of arriving: ArrivingIdentity, from source: MoveSource
    ) async throws(AccountError) -> MoveProgress {
        progress(of: arriving, leaving: try await account(source.user)?.value)
    }

    private func progress(of arriving: ArrivingIdentity, leaving: AccountDocument?) -> MoveProgress {
        guard let leaving, let departing = leaving.departure, departing.move == arriving.move else { return .closed }
        if departing.hasLeft { return .departed }
        return arriving.isStopped || arriving.expiresAt <= now() || !leaving.isUsable ? .closed : .open
    }

    /// Records the request in both accounts, first in the one that the identity leaves. Three writes.
    /// - Parameters:
    ///   - account: its move, if it has one, is over and is replaced.
    ///   - proof: the link of `account` that the person proved.
    /// - Throws: `accountNotUsable` if an account is disabled or the one that gets the identity is being deleted;
    ///   `tooManyLinks`, `noSuchLink`, `lastProvider`; `contended` if another move to the account was requested.
    package func requestMove(
        of found: FoundAccount, subject: String, to account: Stored<AccountDocument>, by requester: MovingOperator,
        proof: LinkID?, reason: OperatorReason
    ) async throws(AccountError) -> ArrivingIdentity {
        let time = Date(timeIntervalSince1970: now().timeIntervalSince1970.rounded(.down))
        let (source, user) = (found.account.value.serviceUserID, account.value.serviceUserID)
        let arriving = ArrivingIdentity(
            move: randomness.uuid(), provider: found.link.provider,
            sealedSource: try seal(MoveSource(user: source, link: found.link.id, subject: subject), user),
            effectiveAt: time.addingTimeInterval(Self.moveDelay), requestedBy: requester, proof: proof)
        try account.value.requireArrivable()
        try await markMove(arriving.move, to: user)
        let leaving = try await change(found.account) { (document) throws(AccountError) in
            try document.announceDeparture(
                DepartingIdentity(move: arriving.move, link: found.link.id, effectiveAt: arriving.effectiveAt),
                reason: reason, at: time)
        }
        do {
            _ = try await change(account) { (document) throws(AccountError) in
                try document.requireArrivable()
                // Another request was first.
                guard document.arrival?.move == account.value.arrival?.move else { throw .contended }
                document.arrival = arriving
                try document.audit.append(
                    .init(
                        action: .providerMoveRequested, reason: reason, provider: arriving.provider,
                        effectiveAt: arriving.effectiveAt, at: time))
            }
        } catch {
            _ = try? await change(leaving) { (document) throws(AccountError) in
                try document.cancelMove(arriving.move, reason: reason, at: time)
            }
            throw error
        }
        return arriving
    }

    /// Begins to complete a move: records the completing operator's reason. Two reads and one write. A move that was stopped
    /// or has expired is cancelled.
    /// - Parameter isPermitted: whether the operator may complete it, by the document that is replaced.
    /// - Throws: `noIdentityMove` for another or a cancelled move; `authenticationEnded` if it is not permitted;
    ///   `accountNotUsable`, `tooManyLinks`, `noSuchLink`, `lastProvider`.
    package func beginMove(
        _ move: UUID, to account: Stored<AccountDocument>, reason: OperatorReason,
        if isPermitted: (AccountDocument) -> Bool
    ) async throws(AccountError) -> (account: Stored<AccountDocument>, source: MoveSource) {
        let user = account.value.serviceUserID
        guard let arriving = account.value.arrival, arriving.move == move else { throw .noIdentityMove }
        var source = try moveSource(of: arriving, user: user)
        let leaving = try await self.account(source.user)?.value
        switch progress(of: arriving, leaving: leaving) {
        case .closed:
            try await cancelMove(to: account, reason: reason)
            throw .noIdentityMove
        case .departed:
            guard account.value.state == .active else {
                // The identity stays free: its account would not open.
                try await forgetMove(move, from: source.user, to: account, cancelledBy: reason)
                throw .accountNotUsable
            }
        case .open:
            guard let link = try leaving?.departingLink(source.link) else { throw .noSuchLink }
            // What the provider and the owner changed since the request counts.
            source.address = email(of: link, user: source.user)
            source.hasHint = link.emailHint != nil
            source.sessionsEndedAt = link.history?.sessionsEndedAt
        }
        let hasLeft = leaving?.departure?.hasLeft == true
        let sealed = try seal(source, user)
        let begun = try await change(account) { (document) throws(AccountError) in
            guard document.arrival?.move == move else { throw .noIdentityMove }
            guard isPermitted(document) else { throw .authenticationEnded }
            try document.requireArrivable(hasLeft: hasLeft)
            document.arrival?.completion = reason.text
            document.arrival?.sealedSource = sealed
        }
        return (begun, source)
    }

    /// Completes a move that was begun, until `forgetMove`: the identity leaves its account, and is linked to this one. May
    /// be repeated after a failure.
    /// - Throws: `noIdentityMove` if the move was stopped; `identityTaken` if the identity was bound to another account
    ///   after an interrupted attempt; `accountNotUsable`, `noSuchLink`, `lastProvider`.
    /// - Returns: the account with the new link.
    package func finishMove(
        to account: Stored<AccountDocument>, from source: MoveSource, reason: OperatorReason
    ) async throws(AccountError) -> FoundAccount {
        guard let arriving = account.value.arrival else { throw .noIdentityMove }
        do {
            if let leaving = try await self.account(source.user), leaving.value.isUsable {
                let departed = try await change(leaving) { (document) throws(AccountError) in
                    try document.depart(arriving.move, reason: reason, at: now())
                }
                _ = try await finishUnlinkings(of: departed)
            }
        } catch .noIdentityMove {
            try await cancelMove(to: account, reason: reason)
            throw .noIdentityMove
        }
        return try await link(arriving, source, to: account, reason: reason)
    }

    private func link(
        _ arriving: ArrivingIdentity, _ source: MoveSource, to account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> FoundAccount {
        let identity = source.identity(arriving.provider)
        let linked: Stored<AccountDocument>
        do {
            linked = try await attach(identity, to: account, arriving: (arriving.move, source.sessionsEndedAt))
        } catch {
            guard error == .identityTaken || error == .identityTokenOutdated,
                let owner = try await linkedAccount(arriving.provider, source.subject)?.serviceUserID,
                owner != account.value.serviceUserID
            else { throw error }
            try await forgetMove(arriving.move, from: source.user, to: account, cancelledBy: reason)
            throw .identityTaken
        }
        guard let found = try await link(of: identity, in: linked) else { throw .contended }
        return found
    }

    /// Cancels a move in both accounts.
    /// - Parameter reason: the operator's; `nil` if the service ends the move.
    /// - Throws: `identityHasLeft` if a completion was first.
    /// - Returns: whether it was cancelled; `false` if the move is over.
    @discardableResult
    package func cancelMove(
        to account: Stored<AccountDocument>, reason: OperatorReason?
    ) async throws(AccountError) -> Bool {
        guard let arriving = account.value.arrival else { return false }
        let time = now()
        let source = try moveSource(of: arriving, user: account.value.serviceUserID)
        if let leaving = try await self.account(source.user), leaving.value.isUsable {
            _ = try await change(leaving) { (document) throws(AccountError) in
                try document.cancelMove(arriving.move, reason: reason, at: time)
            }
        }
        var isCancelled = false
        _ = try await change(account) { (document) throws(AccountError) in
            isCancelled = document.arrival?.move == arriving.move && !document.hasArrived
            guard !document.hasArrived else {
                document.arrival = nil
                return
            }
            try document.cancelMove(arriving.move, reason: reason, at: time)
        }
        try await removeMark(of: arriving.move, to: account.value.serviceUserID)
        return isCancelled
    }

    /// Removes what both accounts record about a move that is over.
    /// - Parameter cancelledBy: the reason for the audit log of the account that does not get the identity.
    package func forgetMove(
        _ move: UUID, from source: UserID, to account: Stored<AccountDocument>, cancelledBy: OperatorReason? = nil
    ) async throws(AccountError) {
        if let leaving = try await self.account(source), leaving.value.isUsable {
            _ = try await change(leaving) { (document) throws(AccountError) in
                if document.departure?.move == move { document.departure = nil }
            }
        }
        _ = try await change(account) { (document) throws(AccountError) in
            guard document.arrival?.move == move else { return }
            if let cancelledBy { return try document.cancelMove(move, reason: cancelledBy, at: now()) }
            document.arrival = nil
        }
        try await removeMark(of: move, to: account.value.serviceUserID)
    }

    /// Returns where a moving identity comes from.
    /// - Throws: `corrupted` if the seal cannot be opened, for example because its master key is not configured: the move
    ///   must not appear to be over.
    package func moveSource(of arriving: ArrivingIdentity, user: UserID) throws(AccountError) -> MoveSource {
        guard let text = open(arriving.sealedSource, for: .identityMove, user),
            let source = try? JSONDecoder().decode(MoveSource.self, from: Data(text.utf8))
        else { throw .corrupted("sealed source of a moving identity") }
        return source
    }

    /// Seals the source of a requested move again if another master key sealed it; `nil` if that is not needed or not
    /// possible.
    package func resealedSource(of account: AccountDocument) throws(AccountError) -> String? {
        let user = account.serviceUserID
        guard let arriving = account.arrival, !arriving.sealedSource.hasPrefix("\(keyRing.currentKeyID)."),
            let source = try? moveSource(of: arriving, user: user)
        else { return nil }
        return try seal(source, user)
    }

    private func seal(_ source: MoveSource, _ user: UserID) throws(AccountError) -> String {
        guard let bytes = try? JSONEncoder().encode(source) else { throw .corrupted("identity move encoding") }
        return try seal(String(decoding: bytes, as: UTF8.self), for: .identityMove, user)
    }
}

/// The marks of requested moves, by which the job finds those that are over.
extension AccountDirectory {
    /// A mark of a requested move.
    package struct MoveMark: Sendable {
        package let user: UserID
        package let move: UUID
        package let createdAt: Date
    }

    /// Returns a page of the marks. One listing.
    package func moveMarks(after: MoveMark?) async throws(AccountError) -> (marks: [MoveMark], isTruncated: Bool) {
        let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(
                prefix: StorageLayout.identityMoves,
                after: after.map { StorageLayout.identityMove($0.user, $0.move) }, limit: 100)
        }
        let marks = page.objects.compactMap { object -> MoveMark? in
            let parts = object.key.description.dropFirst(StorageLayout.identityMoves.count).split(separator: "/")
            guard parts.count == 2, let user = UserID(String(parts[0])), let move = UUID(uuidString: String(parts[1]))
            else { return nil }
            return MoveMark(user: user, move: move, createdAt: object.lastModified)
        }
        return (marks, page.isTruncated && !marks.isEmpty)
    }

    private func markMove(_ move: UUID, to user: UserID) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.put(
                ObjectKey(known: StorageLayout.identityMove(user, move)), ByteBuffer(string: "1"), if: .always)
        }
    }

    package func removeMark(of move: UUID, to user: UserID) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(ObjectKey(known: StorageLayout.identityMove(user, move)), if: .always)
        }
    }
}
