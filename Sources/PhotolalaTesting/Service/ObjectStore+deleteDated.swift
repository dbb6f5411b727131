import Foundation
import ObjectStorage

extension ObjectStore {
    /// Deletes with a deadline in the wrapped store. Throws `denied` if that store does not support it.
    func deleteDated(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        guard let store = self as? any DatedDeletion else { throw .denied("no deletion with a date") }
        try await store.delete(key, before: deadline)
    }
}
