/// The contents of selected photos in the trash, for a purge.
package struct PurgeSelection: Sendable, Equatable {
    /// The contents all of whose paths in the trash are selected.
    package let contents: Set<ContentDigest>
    /// The number of other selected contents. A purge deletes a content at all its paths, so these are kept.
    package let shared: Int
}

extension CatalogStore {
    /// Selects photos in the trash for a purge. Files that belong to a selected photo are included, but not a photo for a
    /// selected companion, nor anything else for single versions.
    /// - Parameter versions: Selects among several contents with the same path.
    package func contentsInTrash(
        _ selection: PhotoSelection, _ versions: TrashVersions = .all
    ) async throws(SelectionError) -> PurgeSelection {
        let found = try await select(selection) { $0.trash }
        let chosen = try versions.of(found.entries)
        let all = versions == .all ? chosen.completedFromPrimaries(from: found.all) : chosen
        var selected = Set(chosen.indices.map(chosen.identity))
        selected.formUnion(all.indices.map(all.identity))
        let wanted = Set(selected.map(\.md5))
        let shared = found.all.indices.reduce(into: Set<ContentDigest>()) { shared, index in
            let entry = found.all.identity(at: index)
            if wanted.contains(entry.md5), !selected.contains(entry) { shared.insert(entry.md5) }
        }
        return PurgeSelection(contents: wanted.subtracting(shared), shared: shared.count)
    }
}
