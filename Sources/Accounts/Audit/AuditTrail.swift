import NIOCore
import ObjectStorage
import PhotolalaAPI

/// The written part of the audit chains: one object per entry, each written once.
struct AuditTrail: Sendable {
    let writes: ConditionalWrites

    /// Makes sure that the chain's last entry has its object, before the next one takes its place in the account. One
    /// read, as nearly always it has.
    /// - Throws: `corrupted` when another entry stands there.
    func settleLastEntry(of account: AccountDocument) async throws(AccountError) {
        let (key, bytes) = try lastEntry(of: account)
        let found = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.store.get(key, limit: 64 << 10)
        }
        guard let found else { return try await writeLastEntry(of: account) }
        guard found.bytes == bytes else { throw .corrupted("an audit entry is another than the account's") }
    }

    /// Writes the object of the chain's last entry; that it is there already is success.
    func writeLastEntry(of account: AccountDocument) async throws(AccountError) {
        let (key, bytes) = try lastEntry(of: account)
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.put(key, bytes, if: .absent)
        }
    }

    private func lastEntry(of account: AccountDocument) throws(AccountError) -> (ObjectKey, ByteBuffer) {
        let entry = account.audit.lastEntry
        guard let bytes = try? entry.bytes() else { throw .corrupted("audit entry") }
        let key = StorageLayout.auditEntry(account.serviceUserID, sequence: entry.sequence)
        return (ObjectKey(known: key), ByteBuffer(bytes: bytes))
    }
}
