import NIOCore

/// A deletion of photos for good, as the snapshot tells it to whoever commits.
///
/// What a device found stored before a purge, or while one is under way, may not be stored any more. So nobody adds
/// anything on the strength of it: each purge has an id of its own, and only who began after it was over goes on.
struct CatalogPurge: Sendable, Equatable {
    let id: ContentDigest
    /// While it is under way: no deletion arrives at the store later than this, by the store's clock. `nil` when it is
    /// over.
    var until: Timestamp?

    /// What is to be said after a salvage of all that was said of purges. It is no purge's own word: nobody knows which one
    /// was the last, so what anybody had found stored before does not count any more. Of the same words it makes the same.
    static func salvaged(_ found: [CatalogPurge]) -> CatalogPurge {
        let over = Set(found.filter { $0.until == nil }.map(\.id))
        let ids = Set(found.map(\.id)).sorted().map(\.description).joined(separator: " ")
        let until = found.filter { !over.contains($0.id) }.compactMap(\.until).max()
        return CatalogPurge(id: ContentDigest(of: ByteBuffer(string: "salvaged \(ids)")), until: until)
    }
}
