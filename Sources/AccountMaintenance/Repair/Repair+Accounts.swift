import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Repair {
    /// Repairs one account: its document, links, audit log and deletion.
    func reconcileAccount(
        _ folder: AccountFolder, _ erased: ErasedAccounts, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        let key = AccountDirectory.key(folder.user)
        let account: Stored<AccountDocument>
        do {
            guard let found = try await directory.account(folder.user) else {
                // A document that was listed and is gone belongs to a sign-up that lost its race.
                guard folder.documentWrittenAt == nil else { return }
                return try await handleFinding(.accountLost, folder.user, nil, &summary)
            }
            account = found
        } catch .corrupted {
            return try await handleFinding(.accountUnreadable, folder.user, key, &summary)
        }
        if try await directory.isResurrected(account.value, among: erased) {
            return try await handleFinding(.accountResurrected, folder.user, key, &summary) { () throws(AccountError) in
                try await directory.scheduleErasure(of: account)
                return true
            }
        }
        if account.value.state == .deleting || account.value.state == .deleted,
            try await directory.deletions.record(folder.user) == nil
        {
            try await handleFinding(.deletionUnscheduled, folder.user, key, &summary) { () throws(AccountError) in
                try await directory.deletions.schedule(folder.user, at: directory.now())
                return true
            }
        }
        switch account.value.state {
        case .active, .deleting:
            guard let reconciled = try await reconcileLinks(of: account, folder, &summary) else { return }
            try await checkAudit(of: reconciled, folder, &summary)
        case .abandoned:
            guard let writtenAt = folder.documentWrittenAt, isPastGracePeriod(writtenAt) else { return }
            try await handleFinding(.accountRemovable, folder.user, key, &summary) { () throws(AccountError) in
                try await remove(account)
            }
        case .deleted:
            return
        }
    }

    /// Removes what an unfinished sign-up left, the document last and only if unchanged.
    private func remove(_ account: Stored<AccountDocument>) async throws(AccountError) -> Bool {
        let user = account.value.serviceUserID
        let key = AccountDirectory.key(user)
        return try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            let page = try await store.list(prefix: StorageLayout.account(user), after: nil, limit: 1000)
            for object in page.objects where object.key != key {
                try await directory.documents.writes.delete(object.key, if: .matches(object.etag))
            }
            guard !page.isTruncated else { return false }
            return try await directory.documents.writes.delete(key, if: .matches(account.etag))
        }
    }

    /// Marks a sign-up whose binding was never written. An account that was used in any way does not qualify.
    /// - Returns: `false` if the account does not qualify.
    func abandon(
        _ account: Stored<AccountDocument>, _ folder: AccountFolder, _ summary: inout RepairSummary
    ) async throws(AccountError) -> Bool {
        let user = account.value.serviceUserID
        guard !folder.hasDevices, !folder.hasAuditEntries, account.value.audit.sequence == 1,
            try await !hasUserObjects(user)
        else { return false }
        guard isPastGracePeriod(account.value.createdAt) else { return true }
        try await handleFinding(.accountAbandoned, user, AccountDirectory.key(user), &summary) {
            () throws(AccountError) in
            let changed = try await directory.change(account) { (document) throws(AccountError) in
                // Any change since then means that the account is in use.
                guard document == account.value else { return }
                document.state = .abandoned
            }
            return changed.value.state == .abandoned
        }
        return true
    }

    private func hasUserObjects(_ user: UserID) async throws(AccountError) -> Bool {
        for prefix in StorageLayout.userPrefixes(user) {
            let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await store.list(prefix: prefix, after: nil, limit: 1)
            }
            if !page.objects.isEmpty { return true }
        }
        return false
    }
}
