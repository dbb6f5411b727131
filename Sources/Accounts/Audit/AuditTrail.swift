import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// The stored entries of the audit logs: one object per entry, each written once.
package struct AuditTrail: Sendable {
    let writes: ConditionalWrites
    package let sealing: AuditSealer

    /// Ensures that the entries of the log's last change have their objects before the next entries replace them in the
    /// account. One read per entry; objects nearly always exist.
    /// - Throws: `corrupted` if an object holds a different entry.
    package func ensureEntriesStored(of account: AccountDocument) async throws(AccountError) {
        try await forEachEntry(of: account) { (key, bytes) throws(AccountError) in
            let found = try await read(key)
            guard let found else { return try await write(key, bytes) }
            guard found == bytes else { throw .corrupted("stored audit entry differs from the account's") }
        }
    }

    /// Writes the objects of the log's last change. An existing object counts as success.
    package func writeEntries(of account: AccountDocument) async throws(AccountError) {
        try await forEachEntry(of: account) { (key, bytes) throws(AccountError) in try await write(key, bytes) }
    }

    /// Reads an entry's object; `nil` if it does not exist.
    package func read(_ key: ObjectKey) async throws(AccountError) -> ByteBuffer? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await writes.store.get(key, limit: 64 << 10)?.bytes
        }
    }

    private func write(_ key: ObjectKey, _ bytes: ByteBuffer) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await writes.put(key, bytes, if: .absent)
        }
    }

    /// Runs for all entries concurrently; there are few of them.
    private func forEachEntry(
        of account: AccountDocument,
        _ body: @escaping @Sendable (ObjectKey, ByteBuffer) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        var objects: [(ObjectKey, ByteBuffer)] = []
        for entry in account.audit.entries {
            guard let bytes = try? entry.encoded() else { throw .corrupted("audit entry encoding") }
            let key = StorageLayout.auditEntry(account.serviceUserID, sequence: entry.sequence)
            objects.append((ObjectKey(known: key), ByteBuffer(bytes: bytes)))
        }
        let failure = await withTaskGroup(of: AccountError?.self) { group in
            for (key, bytes) in objects {
                group.addTask {
                    do throws(AccountError) {
                        try await body(key, bytes)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(nil as AccountError?) { $0 ?? $1 }
        }
        if let failure { throw failure }
    }
}
