import PhotoCatalog

extension Backup {
    /// Fills albums from the folders into which an import placed the photos of albums.
    /// - Returns: The summary, with the reason if the albums were not stored; the next import tries again.
    func fillAlbums(from folders: some Collection<String>, _ summary: BackupSummary) async -> BackupSummary {
        var summary = summary
        do throws(CatalogError) {
            try await catalogs.fillAlbums(from: Set(folders.compactMap { LibraryPath($0) }))
        } catch {
            summary.problems.append(ScanProblem(path: "albums", reason: .albums(error)))
        }
        return summary
    }
}
