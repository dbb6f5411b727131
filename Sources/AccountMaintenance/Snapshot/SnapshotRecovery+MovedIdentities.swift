import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// An identity may be moved from one account to another while the snapshot is taken: its binding and the first account
/// were read before, the second account afterwards, and both list it. The second is right, because an identity is
/// linked elsewhere only after it was unlinked.
extension SnapshotRecovery {
    /// The largest clock difference, in seconds, between the instances that linked and the one that took the snapshot.
    private static let clockSkew: TimeInterval = 600

    /// Checks the links made since the snapshot began; there are few.
    func reconcileMovedIdentities(
        _ summary: SnapshotSummary, _ open: () throws(SnapshotError) -> ChunkReader
    ) async throws(SnapshotError) {
        let start = summary.startedAt.addingTimeInterval(-Self.clockSkew)
        try await forEachAccount(open) { (account) throws(SnapshotError) in
            for link in account.activeLinks where link.linkedAt >= start {
                try await reconcileMovedIdentity(of: link, to: account.serviceUserID)
            }
        }
    }

    /// Removes the identity from its former account, if that account has another identity; repair then moves the
    /// binding. Otherwise removes it from the second account, if that one has another identity; otherwise an operator
    /// decides.
    private func reconcileMovedIdentity(of link: AccountLink, to user: UserID) async throws(SnapshotError) {
        guard let binding = try await self.binding(at: link.bindingKeys.key), binding.user != user,
            let old = try await account(binding.user), old.value.isUsable,
            let stale = old.value.link(binding.link), stale.state == .active || stale.state == .pending,
            let new = try await account(user), new.value.link(link.id)?.state == .active, try await isUsed(new.value)
        else { return }
        if try await hasOtherIdentity(old.value, than: stale.id) {
            try await endLink(stale.id, of: old)
        } else if try await hasOtherIdentity(new.value, than: link.id) {
            try await endLink(link.id, of: new)
        }
    }

    /// A sign-up that lost its race has only its document and will be removed.
    private func isUsed(_ account: AccountDocument) async throws(SnapshotError) -> Bool {
        guard account.audit.sequence == 1 else { return true }
        let page = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(
                prefix: StorageLayout.devices(account.serviceUserID), after: nil, limit: 1)
        }
        return !page.objects.isEmpty
    }

    private func hasOtherIdentity(_ account: AccountDocument, than id: LinkID) async throws(SnapshotError) -> Bool {
        for link in account.activeLinks where link.id != id {
            let binding = try await self.binding(at: link.bindingKeys.key)
            if binding == nil || binding == IdentityBinding(user: account.serviceUserID, link: link.id) { return true }
        }
        return false
    }

    /// Performs the first step of an unlink; repair completes it.
    private func endLink(_ id: LinkID, of account: Stored<AccountDocument>) async throws(SnapshotError) {
        var next = account.value
        next.setState(.removing, ofLink: id)
        if next.primaryLinkID == id, let oldest = next.activeLinks.first { next.primaryLinkID = oldest.id }
        let changed = next
        _ = try await mapStoreErrors { () throws(ObjectStoreError) in
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

    private func binding(at key: ObjectKey) async throws(SnapshotError) -> IdentityBinding? {
        do {
            return try await bindings.read(key)?.value
        } catch .store(let error) {
            throw .store(error)
        } catch {
            return nil
        }
    }
}
