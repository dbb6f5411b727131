import PhotoCatalog

/// The colors, durations and cameras that one path of a content has in the catalog, and another one lacks.
struct SharedFacts {
    /// Adds them to the paths that lack them.
    let changes: [CatalogChange]
    /// The contents of which a path lacks the color.
    private(set) var colored: Set<ContentDigest> = []
    /// The other contents of which a path lacks the duration or the camera.
    private(set) var described: Set<ContentDigest> = []

    /// Compares all paths that the library has of the contents of some entries.
    init(in entries: CatalogEntries) {
        let facts = entries.sharedContentFacts
        changes = facts.isEmpty ? [] : entries.catalog.descriptions(facts)
        for entry in changes.compactMap(\.describedEntry) {
            if entry.media.color == nil { described.insert(entry.md5) } else { colored.insert(entry.md5) }
        }
        described.subtract(colored)
    }

    /// Commits the changes in one commit.
    func commit(to catalogs: CatalogStore) async throws(CatalogError) {
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
    }
}
