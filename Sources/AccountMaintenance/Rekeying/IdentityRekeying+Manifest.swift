import Accounts
import ObjectStorage
import PhotolalaAPI

/// Access to the manifest and the accounts of the store being re-keyed.
extension IdentityRekeying {
    private var manifests: Documents<StoreManifest> {
        Documents(store: directory.documents.store, retry: directory.retry)
    }

    func manifest() async throws(RekeyingError) -> Stored<StoreManifest> {
        let manifest = try await mapAccountErrors { () throws(AccountError) in
            try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await manifests.load(StoreManifest.key)
            }
        }
        guard let manifest else { throw .account(.corrupted("missing store manifest")) }
        return manifest
    }

    /// Enters the next phase, unless the manifest was changed concurrently.
    func replace(
        _ stored: Stored<StoreManifest>, with next: StoreManifest
    ) async throws(RekeyingError) -> Stored<StoreManifest> {
        do {
            return try await manifests.replace(StoreManifest.key, stored, with: next)
        } catch .preconditionFailed {
            // The conflicting write may be ours: the transport can repeat a request and return the second response.
            let found = try await manifest()
            var expected = next
            expected.version = stored.value.version + 1
            guard found.value == expected else { throw .conflict }
            return found
        } catch {
            throw .account(.store(error))
        }
    }

    /// Visits all accounts in use, one after the other.
    /// - Returns: the number of accounts that were not completed.
    @discardableResult
    func forEachAccount(
        _ body: (Stored<AccountDocument>) async throws(AccountError) -> Bool
    ) async throws(RekeyingError) -> Int {
        var undone = 0
        try await mapAccountErrors { () throws(AccountError) in
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() {
                if try await !runStep(folder.user, by: body) { undone += 1 }
            }
        }
        return undone
    }

    private func runStep(
        _ user: UserID, by body: (Stored<AccountDocument>) async throws(AccountError) -> Bool
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
            return try await body(account)
        } catch .corrupted {
            return false
        } catch .accountNotUsable {
            // The account was deleted in the meantime.
            return true
        }
    }

    /// Runs an operation on accounts and wraps its error.
    func mapAccountErrors<Value: Sendable>(
        _ step: () async throws(AccountError) -> Value
    ) async throws(RekeyingError) -> Value {
        do {
            return try await step()
        } catch {
            throw .account(error)
        }
    }
}
