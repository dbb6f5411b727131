import ObjectStorage
import PhotolalaAPI

extension StoreSnapshot {
    /// One account: first all else, then its document, then the audit chain as far as that document knows it. What is
    /// newer than the document would break the chain; the last entry may still stand in the document alone.
    func readAccount(_ user: UserID, listed: [ObjectKey]) async throws(SnapshotError) -> Piece {
        let key = AccountDirectory.key(user)
        let chain = listed.filter { $0.begins(StorageLayout.audit(user)) }
        var piece = try await read(listed.filter { $0 != key && !chain.contains($0) })
        let document = try await read([key])
        guard let found = document.objects.first else {
            // A sign-up that lost its race takes its account away again.
            let isGone = listed.contains(key) && document.unreadable.isEmpty
            return isGone ? Piece() : Piece(unreadable: [key])
        }
        piece.objects.append(found)
        let sequence = Documents<AccountDocument>.read(found.bytes)?.audit.sequence
        // What cannot be read says nothing of its chain.
        let entries = sequence.map { known in
            (1...max(1, known)).map { ObjectKey(known: StorageLayout.auditEntry(user, sequence: $0)) }
        }
        let written = try await read(entries ?? chain)
        piece.objects += written.objects
        piece.unreadable += written.unreadable + document.unreadable
        return piece
    }
}
