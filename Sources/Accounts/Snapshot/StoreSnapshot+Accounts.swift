import ObjectStorage
import PhotolalaAPI

extension StoreSnapshot {
    /// Reads of one account's devices on which others keep changing it.
    private static let tries = 8

    /// One account: its devices while its document stays as it is, as the document says which of their acts are in the
    /// chain; then the chain as far as the document knows it. What is newer than the document would break the chain; the
    /// last entry may still stand in the document alone.
    func readAccount(_ user: UserID, listed: [ObjectKey]) async throws(SnapshotError) -> Piece {
        let key = AccountDirectory.key(user)
        let chain = listed.filter { $0.begins(StorageLayout.audit(user)) }
        var (piece, document) = (Piece(), try await read([key]))
        for _ in 0..<Self.tries {
            piece = try await read(listed.filter { $0 != key && !chain.contains($0) })
            let before = document.objects.first?.bytes
            document = try await read([key])
            if document.objects.first?.bytes == before { break }
        }
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
