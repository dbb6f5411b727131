import Crypto
import ObjectStorage

/// Looks whether the store has a content, and whole.
struct StoredContentCheck: Sendable {
    let store: any ObjectStore
    /// Reads the content back in place of asking for it.
    let readsBack: Bool

    /// What is damaged counts as missing, for sending it again mends it.
    func finds(_ md5: ContentDigest, size: Int64, at key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        do {
            return readsBack ? try await isWhole(md5, size, key) : try await store.head(key)?.size == size
        } catch {
            guard case .corrupted = error else { throw error }
            return false
        }
    }

    private func isWhole(_ md5: ContentDigest, _ size: Int64, _ key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        guard let reading = try await store.read(key, range: nil), reading.info.size == size else { return false }
        var hasher = Insecure.MD5()
        do {
            for try await chunk in reading.body { hasher.update(chunk) }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
        return ContentDigest(hasher.finalize()) == md5
    }
}
