import ForeignExports
import PhotoCatalog

/// Imports exports of other photo services into a library.
package struct ForeignImporter: Sendable {
    private let service: ForeignService
    private let backup: Backup
    private var options: ForeignExportOptions

    package init(_ service: ForeignService, _ backup: Backup, options: ForeignExportOptions) {
        (self.service, self.backup, self.options) = (service, backup, options)
        self.options.latestDate = .latestCapture(at: Timestamp(whole: backup.now()))
    }

    /// Imports the photos in the parts of an export. Another run with the same parts continues.
    /// - Parameter isDryRun: Whether nothing is changed, on the device and in the library.
    /// - Throws: `ForeignExportError` if the parts cannot be read, and `BackupError` if the import could not begin.
    package func run(
        _ paths: [String], isDryRun: Bool, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws -> ForeignImportSummary {
        let files = try await ForeignExportReader.open(paths)
        let reader = ForeignExportReader(files: files, paths: paths, options: options)
        if let own = files.ownExport { throw ForeignExportError.ownExport(own) }
        let (export, missingParts) = try await reader.read(service, try await occupied(files))
        if export.isEmpty || export.findings.isUnmatched {
            if let other = try await reader.service(besides: service) { throw ForeignExportError.otherService(other) }
            guard !export.isEmpty else { throw ForeignExportError.noPhotos }
        }
        let source = ForeignExportSource(
            files, export.items, name: service.rawValue, destination: options.destination)
        let summary = try await backup.importPhotos(
            from: source, albums: export.findings.albums.keys, isDryRun: isDryRun, report: report)
        return ForeignImportSummary(
            backup: summary, findings: export.findings, unreadable: files.unreadable, missingParts: missingParts)
    }

    /// Returns what the library has at the paths of photos.
    private func occupied(_ files: ForeignExportFiles) async throws(BackupError) -> OccupiedPaths {
        let catalog: Catalog
        do { catalog = try await backup.catalogs.load().catalog } catch { throw .catalog(error) }
        let id = ForeignExportSource.id(files, name: service.rawValue, destination: options.destination)
        let (user, stateFolder) = (backup.user, backup.stateFolder)
        do throws(FileError) {
            return try await FileWork.run { () throws(FileError) in
                let path = BackupJournal.path(in: stateFolder, user: user, root: AssetFiles.root(of: id))
                return OccupiedPaths(catalog, files, BackupJournal.load(path))
            }
        } catch { throw BackupError(error) }
    }
}

/// The results of an import of another service's export.
package struct ForeignImportSummary: Sendable {
    package let backup: BackupSummary
    package let findings: ForeignFindings
    /// Files, folders and archives that cannot be read, with their paths in the export.
    package let unreadable: [(path: String, reason: UnreadableFile)]
    /// The names of parts that were probably not given.
    package let missingParts: [String]
}
