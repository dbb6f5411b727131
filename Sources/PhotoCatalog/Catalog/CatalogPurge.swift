import NIOCore

/// A permanent deletion of photos, recorded in the snapshot for all writers.
///
/// Contents that a device found stored before or during a purge may have been deleted by it, so no entry may be added
/// on the basis of such a check. Each purge has its own id, and a commit succeeds only if the operation began after the
/// last purge ended.
package struct CatalogPurge: Sendable, Equatable {
    let id: ContentDigest
    /// While the purge is under way, the time by the store's clock after which none of its deletions can arrive. `nil`
    /// once it is over.
    package var until: Timestamp?

    /// Returns the purge record for a salvaged catalog. Which purge was the last is unknown, so the record has a new id
    /// that invalidates all earlier checks of stored contents. The same records always yield the same id.
    static func salvaged(_ found: [CatalogPurge]) -> CatalogPurge {
        let over = Set(found.filter { $0.until == nil }.map(\.id))
        let ids = Set(found.map(\.id)).sorted().map(\.description).joined(separator: " ")
        let until = found.filter { !over.contains($0.id) }.compactMap(\.until).max()
        return CatalogPurge(id: ContentDigest(of: ByteBuffer(string: "salvaged \(ids)")), until: until)
    }
}
