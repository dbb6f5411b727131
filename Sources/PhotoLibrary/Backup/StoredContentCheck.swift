import ObjectStorage

/// Looks whether the store has a content, and whole.
struct StoredContentCheck: Sendable {
    let store: any ObjectStore
    /// Reads the content back in place of asking for it.
    let readsBack: Bool

    enum Finding {
        case missing, stored
        /// It is there and should have been read back, which its archive does not allow.
        case archived
    }

    /// What is damaged counts as missing, for sending it again mends it.
    func find(_ md5: ContentDigest, size: Int64, at key: ObjectKey) async throws(ObjectStoreError) -> Finding {
        do throws(ObjectStoreError) {
            if !readsBack { return try await store.head(key)?.size == size ? .stored : .missing }
            return try await isWhole(md5, size, key) ? .stored : .missing
        } catch {
            switch error {
            case .corrupted: return .missing
            case .archived: return try await store.head(key)?.size == size ? .archived : .missing
            default: throw error
            }
        }
    }

    private func isWhole(_ md5: ContentDigest, _ size: Int64, _ key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        guard let reading = try await store.read(key, range: nil), reading.info.size == size else { return false }
        return try await reading.body.digest() == md5
    }
}
