import Foundation
import ObjectStorage
import PhotolalaAPI

/// An identity may have moved from one account to another while the snapshot was taken: its claim and the first account
/// were read before, the second account afterwards, and both list it. The second is right, as an identity is linked
/// elsewhere only after it was unlinked.
extension SnapshotRecovery {
    /// Clocks of the copies that linked differ from that of the snapshot by less.
    private static let margin: TimeInterval = 600

    /// Looks at the links that were made since the snapshot began; there are few.
    func settleMoves(
        _ summary: SnapshotSummary, _ open: () throws(SnapshotError) -> Pieces
    ) async throws(SnapshotError) {
        let start = summary.startedAt.addingTimeInterval(-Self.margin)
        try await forEachAccount(open) { (account) throws(SnapshotError) in
            for link in account.activeLinks where link.linkedAt >= start {
                try await settleMove(of: link, to: account.serviceUserID)
            }
        }
    }

    /// Takes the identity off the account that it has left, if that one has another way in; repair then moves the claim.
    /// Otherwise off the second, if that one has; otherwise an operator decides.
    private func settleMove(of link: AccountLink, to user: UserID) async throws(SnapshotError) {
        guard let claim = try await claim(at: link.names.key), claim.user != user,
            let old = try await account(claim.user), old.value.isUsable,
            let stale = old.value.link(claim.link), stale.state == .active || stale.state == .pending,
            let new = try await account(user), new.value.link(link.id)?.state == .active, try await isUsed(new.value)
        else { return }
        if try await hasOtherWay(old.value, than: stale.id) {
            try await end(stale.id, of: old)
        } else if try await hasOtherWay(new.value, than: link.id) {
            try await end(link.id, of: new)
        }
    }

    /// A sign-up that lost its race has nothing but its document, and goes.
    private func isUsed(_ account: AccountDocument) async throws(SnapshotError) -> Bool {
        guard account.audit.sequence == 1 else { return true }
        let page = try await storing { () throws(ObjectStoreError) in
            try await documents.store.list(
                prefix: StorageLayout.devices(account.serviceUserID), after: nil, limit: 1)
        }
        return !page.objects.isEmpty
    }

    private func hasOtherWay(_ account: AccountDocument, than id: LinkID) async throws(SnapshotError) -> Bool {
        for link in account.activeLinks where link.id != id {
            let claim = try await claim(at: link.names.key)
            if claim == nil || claim == Claim(user: account.serviceUserID, link: link.id) { return true }
        }
        return false
    }

    /// As unlinking does first; repair goes on.
    private func end(_ id: LinkID, of account: Stored<AccountDocument>) async throws(SnapshotError) {
        var next = account.value
        next.setState(.removing, ofLink: id)
        if next.primaryLinkID == id, let oldest = next.activeLinks.first { next.primaryLinkID = oldest.id }
        let changed = next
        _ = try await storing { () throws(ObjectStoreError) in
            try await documents.replace(AccountDirectory.key(changed.serviceUserID), account, with: changed)
        }
    }

    private func account(_ user: UserID) async throws(SnapshotError) -> Stored<AccountDocument>? {
        do {
            return try await documents.load(AccountDirectory.key(user))
        } catch .corrupted {
            return nil
        } catch {
            throw .store(error)
        }
    }

    private func claim(at key: ObjectKey) async throws(SnapshotError) -> Claim? {
        do {
            return try await claims.read(key)?.value
        } catch .store(let error) {
            throw .store(error)
        } catch {
            return nil
        }
    }
}
