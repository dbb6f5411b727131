import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Markers of used single-use values: one object each, created only if absent, kept until the value itself has expired.
/// The keys sort by expiry, so that clean-up does not read markers that are still needed.
package struct SingleUseMarkers: Sendable {
    private let writes: ConditionalWrites
    /// How long a marker outlives its value, in seconds, because the clocks of instances differ.
    private static let retentionMargin: TimeInterval = 600
    private static let removalConcurrency = 32

    package init(store: any ObjectStore, retry: RetryPolicy) {
        writes = ConditionalWrites(store: store, retry: retry)
    }

    /// Marks an id as used. One write.
    /// - Parameter marker: different for each caller, so that a caller recognizes its own marker.
    /// - Throws: `alreadyUsed` if any instance has marked it before.
    package func consume(_ id: String, expiresAt: Date, marker: String) async throws(SealedStateError) {
        let key = ObjectKey(known: StorageLayout.usedMarker(expiry: Int(expiresAt.timeIntervalSince1970), id: id))
        let outcome: ConditionalWrites.Outcome
        do {
            outcome = try await writes.put(key, ByteBuffer(string: marker), if: .absent)
        } catch {
            throw .store(error)
        }
        guard case .written = outcome else { throw .alreadyUsed }
    }

    /// Removes markers that expired more than 10 minutes ago, several at once: a folder commits those together, and a bucket
    /// would otherwise receive more markers than one request after another removes. Returns their number.
    package func removeExpired(at now: Date) async throws(ObjectStoreError) -> Int {
        let ended = now.timeIntervalSince1970 - Self.retentionMargin
        var removed = 0
        while true {
            let page = try await writes.store.list(prefix: StorageLayout.usedMarkers, after: nil, limit: 500)
            let expired = page.objects.map(\.key).prefix { key in
                let parts = key.description.split(separator: "/")
                return parts.count == 4 && Int(parts[2]).map { Double($0) < ended } ?? false
            }
            try await forEachConcurrently(Array(expired), atMost: Self.removalConcurrency) {
                [writes] (key) async throws(ObjectStoreError) in try await writes.delete(key, if: .always)
            }
            removed += expired.count
            guard page.isTruncated, expired.count == page.objects.count else { return removed }
        }
    }
}
