import Accounts
import ObjectStorage
import PhotolalaAPI

extension StoreSnapshot {
    /// The largest number of times that one account's devices are read while the account keeps changing.
    private static let maximumAttempts = 8

    /// Reads one account. The devices are read again until the document stays unchanged, because the document states
    /// which of their pending audit events are in the log; then the log is read up to the document's last entry. Newer
    /// entries would not match the document; the last entry may exist only in the document.
    func readAccount(_ user: UserID, listed: [ObjectKey]) async throws(SnapshotError) -> Piece {
        let key = AccountDirectory.key(user)
        let chain = listed.filter { $0.hasPrefix(StorageLayout.audit(user)) }
        var (piece, document) = (Piece(), try await read([key]))
        for _ in 0..<Self.maximumAttempts {
            piece = try await read(listed.filter { $0 != key && !chain.contains($0) })
            let before = document.objects.first?.bytes
            document = try await read([key])
            if document.objects.first?.bytes == before { break }
        }
        guard let found = document.objects.first else {
            // A sign-up that lost its race removes its account.
            let isGone = listed.contains(key) && document.unreadable.isEmpty
            return isGone ? Piece() : Piece(unreadable: [key])
        }
        piece.objects.append(found)
        let sequence = Documents<AccountDocument>.decode(found.bytes)?.audit.sequence
        // An unreadable document does not state the length of its log.
        let entries = sequence.map { known in
            (1...max(1, known)).map { ObjectKey(known: StorageLayout.auditEntry(user, sequence: $0)) }
        }
        let written = try await read(entries ?? chain)
        piece.objects += written.objects
        piece.unreadable += written.unreadable + document.unreadable
        return piece
    }
}
