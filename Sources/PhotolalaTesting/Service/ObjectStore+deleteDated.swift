import Foundation
import ObjectStorage

extension ObjectStore {
    /// The same for a store that is wrapped, if it can.
    func deleteDated(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        guard let store = self as? any DatedDeletion else { throw .denied("no deletion with a date") }
        try await store.delete(key, before: deadline)
    }
}
