import ObjectStorage
import PhotolalaAPI

/// The stamp and the accounts of the store that is moved.
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

    /// Takes the store into the next phase, if nobody else changed its stamp.
    func replace(
        _ stored: Stored<StoreStamp>, with next: StoreStamp
    ) async throws(MigrationError) -> Stored<StoreStamp> {
        do {
            return try await stamps.replace(StoreStamp.key, stored, with: next)
        } catch .preconditionFailed {
            // It may be ours: the way to the store can repeat a request and tell of the second.
            let found = try await stamp()
            var ours = next
            ours.version = stored.value.version + 1
            guard found.value == ours else { throw .changedMeanwhile }
            return found
        } catch {
            throw .account(.store(error))
        }
    }

    /// Goes through all accounts in use, one after the other.
    /// - Returns: how many the act did not bring to its end.
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
            // Told by the verification, which keeps a move from being confirmed.
            return true
        }
        do {
            return try await act(account)
        } catch .corrupted {
            return false
        } catch .accountNotUsable {
            // It went meanwhile.
            return true
        }
    }

    /// Runs a step on accounts.
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
