import ObjectStorage
import PhotolalaAPI

/// Access to the manifest and the accounts of the store being re-keyed.
extension Migration {
    private var stamps: Documents<StoreStamp> {
        Documents(store: directory.documents.store, retry: directory.retry)
    }

    func stamp() async throws(MigrationError) -> Stored<StoreStamp> {
        let stamp = try await doing { () throws(AccountError) in
            try await AccountError.storing { () throws(ObjectStoreError) in try await stamps.load(StoreStamp.key) }
        }
        guard let stamp else { throw .account(.corrupted("the store's stamp is gone")) }
        return stamp
    }

    /// Enters the next phase, unless the manifest was changed concurrently.
    func replace(
        _ stored: Stored<StoreStamp>, with next: StoreStamp
    ) async throws(MigrationError) -> Stored<StoreStamp> {
        do {
            return try await stamps.replace(StoreStamp.key, stored, with: next)
        } catch .preconditionFailed {
            // The conflicting write may be ours: the transport can repeat a request and return the second response.
            let found = try await stamp()
            var ours = next
            ours.version = stored.value.version + 1
            guard found.value == ours else { throw .changedMeanwhile }
            return found
        } catch {
            throw .account(.store(error))
        }
    }

    /// Visits all accounts in use, one after the other.
    /// - Returns: the number of accounts that were not completed.
    @discardableResult
    func forEachAccount(
        _ act: (Stored<AccountDocument>) async throws(AccountError) -> Bool
    ) async throws(MigrationError) -> Int {
        var undone = 0
        try await doing { () throws(AccountError) in
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() {
                if try await !settling(folder.user, by: act) { undone += 1 }
            }
        }
        return undone
    }

    private func settling(
        _ user: UserID, by act: (Stored<AccountDocument>) async throws(AccountError) -> Bool
    ) async throws(AccountError) -> Bool {
        let account: Stored<AccountDocument>
        do {
            guard let found = try await directory.account(user), found.value.isUsable else { return true }
            account = found
        } catch .corrupted {
            // Reported by the verification, which blocks the confirmation.
            return true
        }
        do {
            return try await act(account)
        } catch .corrupted {
            return false
        } catch .accountNotUsable {
            // The account was deleted in the meantime.
            return true
        }
    }

    /// Runs an operation on accounts and wraps its error.
    func doing<Value: Sendable>(
        _ step: () async throws(AccountError) -> Value
    ) async throws(MigrationError) -> Value {
        do {
            return try await step()
        } catch {
            throw .account(error)
        }
    }
}
