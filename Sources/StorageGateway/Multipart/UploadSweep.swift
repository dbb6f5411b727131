import Foundation
import ObjectStorage
import PhotolalaAPI

/// Removes what unfinished multipart uploads left behind.
package struct UploadSweep: Sendable {
    private let store: any ObjectStore
    private let lifetime: TimeInterval

    /// - Parameter lifetime: seconds, the gateway's `uploadLifetime`.
    package init(store: any ObjectStore, lifetime: TimeInterval) {
        self.store = store
        self.lifetime = lifetime
    }

    /// Deletes every object under the uploads' prefix that is older than the lifetime: a record is older than its
    /// parts, so an upload first ceases to exist and then loses its bytes.
    /// - Returns: how many objects went.
    @discardableResult
    package func sweepExpiredUploads(now: Date) async throws(ObjectStoreError) -> Int {
        var removed = 0
        var after: String?
        while true {
            let page = try await store.list(prefix: StorageLayout.uploads, after: after, limit: 1000)
            for object in page.objects {
                after = object.key.description
                guard object.lastModified.addingTimeInterval(lifetime) <= now else { continue }
                try await store.delete(object.key, if: .always)
                removed += 1
            }
            if !page.isTruncated { return removed }
        }
    }
}
