import NIOCore
import ObjectStorage
import PhotolalaAPI

/// The written part of the audit chains: one object per entry, each written once.
struct AuditTrail: Sendable {
    let writes: ConditionalWrites

    /// Writes the object of the chain's last entry; that it is there already is success.
    func writeLastEntry(of account: AccountDocument) async throws(AccountError) {
        let entry = account.audit.lastEntry
        guard let bytes = try? entry.bytes() else { throw .corrupted("audit entry") }
        let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: entry.sequence))
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.put(key, ByteBuffer(bytes: bytes), if: .absent)
        }
    }
}
