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
        let files = try await open(paths)
        if let own = files.ownExport { throw ForeignExportError.ownExport(own) }
        let (export, missingParts) = try await read(service, files, paths, try await occupied(files))
        if export.isEmpty || export.findings.isUnmatched {
            if let other = try await otherService(files, paths) { throw ForeignExportError.otherService(other) }
            guard !export.isEmpty else { throw ForeignExportError.noPhotos }
        }
        let source = ForeignExportSource(
            files, export.items, name: service.rawValue, destination: options.destination)
        let summary = try await backup.importPhotos(
            from: source, albums: export.findings.albums.keys, isDryRun: isDryRun, report: report)
        return ForeignImportSummary(
            backup: summary, findings: export.findings, unreadable: files.unreadable, missingParts: missingParts)
    }

    private func open(_ paths: [String]) async throws -> ForeignExportFiles {
        let opened: Result<ForeignExportFiles, ForeignExportError> = try await FileWork.run { () throws(FileError) in
            Result { () throws(ForeignExportError) in
                try ForeignExportFiles.open(paths)
            }
        }
        do { return try await opened.get().compared() } catch SourceError.cancelled { throw BackupError.cancelled }
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

    private func read(
        _ service: ForeignService, _ files: ForeignExportFiles, _ paths: [String], _ occupied: OccupiedPaths? = nil
    ) async throws -> (export: any ForeignExport, missingParts: [String]) {
        switch service {
        case .googlePhotos: try await read(as: TakeoutExport.self, files, paths, occupied)
        case .iCloud: try await read(as: ICloudExport.self, files, paths, occupied)
        case .ente: try await read(as: EnteExport.self, files, paths, occupied)
        }
    }

    private func read<Export: ForeignExport>(
        as reader: Export.Type, _ files: ForeignExportFiles, _ paths: [String], _ occupied: OccupiedPaths?
    ) async throws -> (export: any ForeignExport, missingParts: [String]) {
        let descriptions = try await descriptions(in: files, reader)
        var options = options
        if let occupied { options.isTaken = { occupied.isTaken($0, $1) } }
        var export = reader.init(files.files, descriptions, options)
        // Each file is read at most once, so the loop ends.
        while try await occupied?.readFiles() == true { export = reader.init(files.files, descriptions, options) }
        return (export, reader.missingParts(paths, files.files))
    }

    /// Returns what the descriptions contain, by their indices. Those that cannot be read are left out.
    private func descriptions<Export: ForeignExport>(
        in files: ForeignExportFiles, _ reader: Export.Type
    ) async throws -> [Int: Export.Description] {
        var found: [Int: Export.Description] = [:]
        for index in reader.descriptionFiles(files.files) {
            do {
                let bytes = try await files.read(index, limit: reader.descriptionLimit)
                if let bytes, let description = reader.read(bytes) { found[index] = description }
            } catch SourceError.cancelled {
                throw BackupError.cancelled
            } catch is SourceError {
                continue
            }
        }
        return found
    }

    /// Returns another service whose exports have the form of the files.
    private func otherService(_ files: ForeignExportFiles, _ paths: [String]) async throws -> ForeignService? {
        for other in ForeignService.allCases where other != service {
            let export = try await read(other, files, paths).export
            if !export.isEmpty, !export.findings.isUnmatched { return other }
        }
        return nil
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
