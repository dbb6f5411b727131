import PhotoCatalog

extension Backup {
    /// Uploads the photos of another service, and fills albums from the folders into which it places those of albums. If
    /// the albums are not stored, the summary has the reason, and the next import tries again.
    /// - Parameters:
    ///   - folders: The paths of the albums' folders in the library.
    ///   - isDryRun: Whether nothing is changed, on the device and in the library.
    func importPhotos(
        from source: any AssetSource, albums folders: some Collection<String>, isDryRun: Bool,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        if isDryRun { return try await predict(source: source, report: report) }
        var summary = try await SourceSync(self, settings: SourceSyncSettings()).run(source: source, report: report)
            .backup
        do throws(CatalogError) {
            try await catalogs.fillAlbums(from: Set(folders.compactMap { LibraryPath($0) }))
        } catch {
            summary.problems.append(ScanProblem(path: "albums", reason: .albums(error)))
        }
        return summary
    }
}
