import PhotoCatalog

extension CommitBuffer {
    /// Returns the catalog changes for a file.
    /// - Parameter brought: The content that this device had added at its path.
    func changes(for entry: CatalogEntry, replacing brought: ContentDigest?) -> [CatalogChange] {
        if let placing, let version { return placing.changes(for: entry, in: version.catalog) }
        guard let catalog = version?.catalog else {
            return journal.committed(entry.path) == entry.md5 ? [] : [.add(entry, replacing: brought)]
        }
        let replaced = replaceableAddition(brought, at: entry.path, in: catalog)
        let add = catalog.change(adding: entry, replacing: replaced)
        let isPutBack = replaced != nil && replaced != entry.md5
        let isGivenUp = !isPutBack && catalog.isReplaced(entry.path, entry.md5)
        return (add.map { [$0] } ?? []) + (isGivenUp ? [.restoreFromTrash(entry.path, entry.md5)] : [])
    }

    /// Returns the content that this device had added, if it may be replaced. A content that the user has since put
    /// into the trash keeps its state.
    private func replaceableAddition(
        _ brought: ContentDigest?, at path: LibraryPath, in catalog: Catalog
    ) -> ContentDigest? {
        brought.flatMap { md5 in
            catalog.holds(path, md5) && catalog.mayReplace(path, md5, by: catalogs.device) ? md5 : nil
        }
    }

    /// Reevaluates a change that was made before the catalog was loaded.
    func reevaluated(_ change: CatalogChange, in catalog: Catalog) -> CatalogChange {
        guard case .add(let entry, let brought) = change else { return change }
        return .add(entry, replacing: replaceableAddition(brought, at: entry.path, in: catalog))
    }
}
