import Foundation
import ObjectStorage
import PhotolalaAPI

/// Unlinks that take effect after a delay.
extension AccountDirectory {
    /// Returns what a request to unlink an identity would do now; `nil` if it would be refused. The final decision is made
    /// when the account is written.
    package func unlinkOutcome(
        of id: LinkID, from account: AccountDocument, by session: ActingSession
    ) -> UnlinkOutcome? {
        var document = account
        return try? document.unlink(id, by: session, unlinkDelay, at: now())
    }

    /// Returns why an identity may not end sessions of older identities or provide recent authentication for them;
    /// `nil` if it may.
    package func restriction(on link: LinkID, in account: AccountDocument) -> LinkRestriction? {
        account.restriction(on: link, unlinkDelay, at: now())
    }

    /// Returns whether recently authenticated sessions of an identity are protected from another one that was linked later.
    /// None are while a final unlink of the identity is pending, or without a delay.
    /// - Parameter isProved: whether the other identity itself was authenticated recently; if not, sessions of the same
    ///   identity are protected too.
    package func protectsSessions(
        of link: LinkID, from other: LinkID, isProved: Bool, in account: AccountDocument
    ) -> Bool {
        guard unlinkDelay > 0,
            !account.links.contains(where: { $0.ownsSessions(link) && $0.pendingUnlink?.isFinal == true })
        else { return false }
        if account.isSameIdentity(link, other) { return !isProved }
        return account.isOlder(link, than: other)
    }

    /// Undoes a pending unlink. Changes nothing if none is pending.
    /// - Throws: `noSuchLink`, also once the unlink has taken effect; `unlinkPending` if only a session of an older
    ///   identity can undo it; `sessionEnded`, `authenticationEnded`.
    package func undoUnlink(
        _ id: LinkID, of account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let time = now()
        return try await change(account, by: session) { (document) throws(AccountError) in
            try document.requireValid(session, at: time)
            guard let link = document.link(id), link.state != .removing, !document.isUnlinked(link, at: time) else {
                throw .noSuchLink
            }
            guard let pending = link.pendingUnlink else { return }
            let isOlder = document.isOlder(session.authority, than: link)
            guard isOlder || !pending.isFinal else { throw .unlinkPending }
            // An identity with a pending unlink must not restore another one, which would link its successor.
            guard !document.isSuspended(session) || document.isSameIdentity(session.link, link.id) else {
                throw .unlinkPending
            }
            try document.undoUnlink(of: link, byOlder: isOlder, on: session.device, at: time)
        }
    }

    /// Undoes the pending unlink of the identity that signs in, unless it is final. No request if none is pending.
    package func undoUnlink(
        bySignInWith found: FoundAccount, on device: DeviceID
    ) async throws(AccountError) -> FoundAccount {
        guard let pending = found.link.pendingUnlink, !pending.isFinal else { return found }
        let time = now()
        let account = try await change(found.account) { (document) throws(AccountError) in
            guard let link = document.link(found.link.id), link.state != .removing,
                !document.isUnlinked(link, at: time)
            else { throw .contended }
            guard link.pendingUnlink?.isFinal == false else { return }
            try document.undoUnlink(of: link, byOlder: false, on: device, at: time)
        }
        return account.value.link(found.link.id).map { FoundAccount(account: account, link: $0) } ?? found
    }

    /// Carries out the unlinks whose delay has ended: their links become `removing` and their sessions end. No request
    /// if none is due; otherwise one write.
    package func startDueUnlinks(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let time = now()
        guard account.value.links.contains(where: { $0.isUnlinkDue(at: time) }) else { return account }
        return try await change(account) { (document) throws(AccountError) in
            for link in document.links where link.isUnlinkDue(at: time) {
                try document.endPendingUnlink(of: link, at: time)
            }
        }
    }
}
