import ForeignExports
import PhotoCatalog

/// Imports the photos of an Immich account into a library.
package struct ImmichImporter: Sendable {
    private let backup: Backup
    private let options: ImmichPlan.Options

    package init(_ backup: Backup, options: ImmichPlan.Options) { (self.backup, self.options) = (backup, options) }

    /// Imports the photos that the server has now. A later run continues, and imports new ones.
    /// - Parameter isDryRun: Whether nothing is changed, on the device and in the library.
    /// - Throws: `ImmichError` if the photos cannot be listed, `ImmichImportError` while another import of the account
    ///   runs on this device, and `BackupError` if the import could not begin.
    package func run(
        from library: any ImmichLibrary, isDryRun: Bool, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws -> ImmichImportSummary {
        report(.scanning)
        let content = try await library.content()
        let id = ImmichSource.id(library, account: content.accountID, destination: options.destination)
        let file = ImmichPlacesFile(in: backup.stateFolder, user: backup.user, source: id)
        let lock = isDryRun ? nil : try await file.lock()
        defer { withExtendedLifetime(lock) {} }
        let catalog: Catalog
        do { catalog = try await backup.catalogs.load().catalog } catch { throw BackupError.catalog(error) }
        var options = options
        options.isTaken = { path, size in
            let contents = catalog.contentsEver(at: path)
            return !contents.isEmpty && !contents.contains { $0.size ?? size == size }
        }
        let plan = ImmichPlan(content, options, places: try await file.read())
        if !isDryRun { try await file.replace(with: plan.places) }
        let source = ImmichSource(
            library, account: content.accountID, plan.items, destination: options.destination,
            failuresInARow: backup.settings.failuresInARow, isPrediction: isDryRun)
        let summary = try await backup.importPhotos(
            from: source, albums: plan.findings.albums.keys, isDryRun: isDryRun, report: report)
        return ImmichImportSummary(backup: summary, findings: plan.findings, version: content.version)
    }
}

/// The reason why an import from Immich did not begin.
package enum ImmichImportError: Error, Equatable, Sendable {
    /// Another import of the same account into the same folder of the library runs on this device.
    case underWay
}

/// The results of an import from Immich.
package struct ImmichImportSummary: Sendable {
    package let backup: BackupSummary
    package let findings: ImmichFindings
    /// The version of the server.
    package let version: String
}
