import Foundation
import ObjectStorage
import PhotolalaAPI

/// Removes expired multipart uploads.
package struct UploadSweep: Sendable {
    private let store: any ObjectStore
    private let lifetime: TimeInterval

    /// - Parameter lifetime: The gateway's `uploadLifetime`, in seconds.
    package init(store: any ObjectStore, lifetime: TimeInterval) {
        self.store = store
        self.lifetime = lifetime
    }

    /// Deletes every object below the uploads' prefix that is older than the lifetime. A record is older than its
    /// parts, so an upload becomes invalid before its bytes are deleted.
    /// - Returns: The number of deleted objects.
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
