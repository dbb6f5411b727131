extension CatalogStore {
    /// Returns the contents of selected photos in the trash, for a purge. Files that belong to a selected photo are
    /// included, but not a photo for a selected companion, nor anything else for single versions.
    /// - Parameter versions: Selects among several contents with the same path.
    package func contentsInTrash(
        _ selection: PhotoSelection, _ versions: TrashVersions = .all
    ) async throws(SelectionError) -> Set<ContentDigest> {
        let found = try await select(selection) { $0.trash }
        let chosen = try versions.of(found.entries)
        let contents = Set(chosen.map(\.md5))
        guard versions == .all else { return contents }
        return contents.union(chosen.completedFromPrimaries(from: found.all).map(\.md5))
    }
}
