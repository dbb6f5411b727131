import ForeignExports
import PhotoCatalog

/// Imports Google Takeouts into a library.
package struct TakeoutImporter: Sendable {
    private let backup: Backup
    private let options: TakeoutExport.Options

    package init(_ backup: Backup, options: TakeoutExport.Options) { (self.backup, self.options) = (backup, options) }

    /// Imports the photos in the parts of an export. Another run with the same parts continues.
    /// - Parameter isDryRun: Whether nothing is changed, on the device and in the library.
    /// - Throws: `ForeignExportError` if the parts cannot be read, and `BackupError` if the import could not begin.
    package func run(
        _ paths: [String], isDryRun: Bool, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws -> TakeoutImportSummary {
        let files = try await Self.open(paths)
        guard !TakeoutExport.isOwnExport(files.files) else { throw ForeignExportError.ownExport }
        let descriptions = try await Self.descriptions(in: files)
        let export = TakeoutExport(files.files, descriptions, options)
        guard !export.isEmpty else { throw ForeignExportError.noPhotos }
        let source = ForeignExportSource(
            files, export.items, name: "takeout", destination: options.destination)
        let summary =
            isDryRun
            ? try await backup.predict(source: source, report: report)
            : try await SourceSync(backup, settings: SourceSyncSettings()).run(source: source, report: report).backup
        return TakeoutImportSummary(
            backup: summary, findings: export.findings, refused: files.refused,
            missingParts: TakeoutParts.missing(in: paths))
    }

    private static func open(_ paths: [String]) async throws -> ForeignExportFiles {
        let opened: Result<ForeignExportFiles, ForeignExportError> = try await FileWork.run { () throws(FileError) in
            Result { () throws(ForeignExportError) in try ForeignExportFiles.open(paths) }
        }
        return try opened.get()
    }

    /// Returns what the descriptions contain, by their indices. Those that cannot be read are left out.
    private static func descriptions(in files: ForeignExportFiles) async throws -> [Int: TakeoutDescription] {
        var found: [Int: TakeoutDescription] = [:]
        for index in TakeoutExport.descriptionFiles(files.files) {
            do {
                let bytes = try await files.read(index, limit: TakeoutDescription.limit)
                if let bytes, let description = TakeoutDescription.read(bytes) { found[index] = description }
            } catch SourceError.cancelled {
                throw BackupError.cancelled
            } catch is SourceError {
                continue
            }
        }
        return found
    }
}

/// The results of an import of a Takeout.
package struct TakeoutImportSummary: Sendable {
    package let backup: BackupSummary
    package let findings: TakeoutFindings
    /// Files of archives that cannot be read.
    package let refused: [(path: String, refusal: ZipMember.Refusal)]
    /// The names of parts that were probably not given.
    package let missingParts: [String]
}
