import ObjectStorage
import PhotoCatalog

/// A check whether the store has a content and, if requested, whether its bytes are intact.
struct StoredContentCheck: Sendable {
    let store: any ObjectStore
    /// Whether the content is read back, instead of sending a HEAD request.
    let verifiesStoredBytes: Bool

    enum Finding {
        case missing, stored
        /// The content is stored, but could not be read back because it is archived.
        case archived
    }

    /// Checks one content. A damaged object counts as missing, because uploading the content again repairs it.
    func check(_ md5: ContentDigest, size: Int64, at key: ObjectKey) async throws(ObjectStoreError) -> Finding {
        do throws(ObjectStoreError) {
            if !verifiesStoredBytes { return try await store.head(key)?.size == size ? .stored : .missing }
            return try await isIntact(md5, size, key) ? .stored : .missing
        } catch {
            switch error {
            case .corrupted: return .missing
            case .archived: return try await store.head(key)?.size == size ? .archived : .missing
            default: throw error
            }
        }
    }

    private func isIntact(_ md5: ContentDigest, _ size: Int64, _ key: ObjectKey) async throws(ObjectStoreError) -> Bool
    {
        guard let reading = try await store.read(key, range: nil), reading.info.size == size else { return false }
        return try await reading.body.digest() == md5
    }
}
