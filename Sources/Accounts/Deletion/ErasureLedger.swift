import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/erasures/{hash}.json`: that an account was deleted. It names the account only by a keyed hash, and contains
/// the receipt sealed.
package struct ErasureDocument: VersionedDocument {
    package var version: Int
    /// When the erasure began.
    package let begunAt: Date
    /// When nothing was left; `nil` before.
    package var completedAt: Date?
    /// The receipt, a compact JWS, sealed for the account's id.
    var sealedReceipt: String?
}

/// The deleted accounts. An account that a backup or an old copy of the store brings back is recognized and deleted
/// again. An entry can be found by the account's id only.
package struct ErasureLedger: Sendable {
    private let documents: Documents<ErasureDocument>
    private let key: ErasureKey

    package init(store: any ObjectStore, retry: RetryPolicy, key: ErasureKey) {
        documents = Documents(store: store, retry: retry)
        self.key = key
    }

    /// Returns the entry of an account; `nil` if it was never deleted. One read.
    package func entry(of user: UserID) async throws(AccountError) -> Stored<ErasureDocument>? {
        guard let names = try await key.storedLedgerNames() else { return nil }
        let name = ObjectKey(known: StorageLayout.erasure(names.name(of: user)))
        return try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(name) }
    }

    /// Records that the erasure of an account begins, before anything is erased. Idempotent.
    package func begin(_ user: UserID, at time: Date) async throws(AccountError) {
        let name = try await name(of: user)
        do throws(ObjectStoreError) {
            _ = try await documents.create(
                name, ErasureDocument(version: 1, begunAt: time, completedAt: nil, sealedReceipt: nil))
        } catch .preconditionFailed {
            // The erasure began earlier, or another instance recorded it.
        } catch {
            throw .store(error)
        }
    }

    /// Records the end of an erasure with its receipt. An erasure of a restored account keeps the first receipt.
    package func complete(_ user: UserID, at time: Date, receipt: String) async throws(AccountError) {
        let name = try await name(of: user)
        let sealed = try await key.seal(receipt, of: user)
        do throws(ObjectStoreError) {
            guard let found = try await documents.load(name) else {
                throw .corrupted("erasure without an entry in the erasure ledger")
            }
            guard found.value.completedAt == nil else { return }
            var next = found.value
            (next.completedAt, next.sealedReceipt) = (time, sealed)
            _ = try await documents.replace(name, found, with: next)
        } catch .preconditionFailed {
            throw .contended
        } catch {
            throw .store(error)
        }
    }

    /// Returns the receipt of a completed deletion.
    package func receipt(in entry: ErasureDocument, of user: UserID) async throws(AccountError) -> String? {
        guard let sealed = entry.sealedReceipt else { return nil }
        return try await key.open(sealed, of: user)
    }

    /// Reads the names of all entries, for a run over all accounts. One listing per thousand entries, and a read; 8 bytes
    /// of memory for each.
    package func erasedAccounts() async throws(AccountError) -> ErasedAccounts {
        var numbers: Set<UInt64> = []
        var after: String?
        repeat {
            let start = after
            let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await documents.store.list(prefix: StorageLayout.erasures, after: start, limit: 1000)
            }
            for object in page.objects {
                let name = object.key.description.dropFirst(StorageLayout.erasures.count)
                if let number = UInt64(name.prefix(16), radix: 16) { numbers.insert(number) }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        // A store without deletions has no key.
        return ErasedAccounts(numbers: numbers, names: numbers.isEmpty ? nil : try await key.ledgerNames())
    }

    private func name(of user: UserID) async throws(AccountError) -> ObjectKey {
        ObjectKey(known: StorageLayout.erasure(try await key.ledgerNames().name(of: user)))
    }
}

/// The deleted accounts of a store at one time.
package struct ErasedAccounts: Sendable {
    /// The first 64 bits of each name.
    let numbers: Set<UInt64>
    let names: ErasureKey.LedgerNames?

    package var isEmpty: Bool { numbers.isEmpty }

    /// Returns whether an account may be in the ledger; `true` for a few others, so read its entry.
    package func mayContain(_ user: UserID) -> Bool {
        guard let names, !numbers.isEmpty else { return false }
        return numbers.contains(names.number(of: user))
    }
}
