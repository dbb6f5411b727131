import ForeignExports
import PhotoCatalog

/// Reads the files of an export as those of one service.
struct ForeignExportReader: Sendable {
    let files: ForeignExportFiles
    /// The given archives and folders.
    let paths: [String]
    let options: ForeignExportOptions

    /// Opens archives and folders.
    /// - Throws: `ForeignExportError`, or `BackupError.cancelled`.
    static func open(_ paths: [String]) async throws -> ForeignExportFiles {
        let opened: Result<ForeignExportFiles, ForeignExportError> = try await FileWork.run { () throws(FileError) in
            Result { () throws(ForeignExportError) in
                try ForeignExportFiles.open(paths)
            }
        }
        do { return try await opened.get().compared() } catch SourceError.cancelled { throw BackupError.cancelled }
    }

    /// - Parameter occupied: What the library has at the paths of photos.
    func read(
        _ service: ForeignService, _ occupied: OccupiedPaths? = nil
    ) async throws -> (export: any ForeignExport, missingParts: [String]) {
        switch service {
        case .googlePhotos: try await read(as: TakeoutExport.self, occupied)
        case .iCloud: try await read(as: ICloudExport.self, occupied)
        case .ente: try await read(as: EnteExport.self, occupied)
        }
    }

    private func read<Export: ForeignExport>(
        as reader: Export.Type, _ occupied: OccupiedPaths?
    ) async throws -> (export: any ForeignExport, missingParts: [String]) {
        let descriptions = try await descriptions(of: reader)
        var options = options
        if let occupied { options.isTaken = { occupied.isTaken($0, $1) } }
        var export = reader.init(files.files, descriptions, options)
        // Each file is read at most once, so the loop ends.
        while try await occupied?.readFiles() == true { export = reader.init(files.files, descriptions, options) }
        return (export, reader.missingParts(paths, files.files))
    }

    /// Returns what the descriptions contain, by their indices. Those that cannot be read are left out.
    private func descriptions<Export: ForeignExport>(
        of reader: Export.Type
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

    /// Returns a service whose exports have the form of the files.
    /// - Parameter known: A service that is not asked.
    func service(besides known: ForeignService? = nil) async throws -> ForeignService? {
        for service in ForeignService.allCases where service != known {
            let export = try await read(service).export
            if !export.isEmpty, !export.findings.isUnmatched { return service }
        }
        return nil
    }
}

extension ForeignImporter {
    /// Returns the service that wrote an export, by its descriptions or, for a part without any, by its names.
    /// - Throws: `ForeignExportError` if the path cannot be read or is an export of Photolala, and `BackupError.cancelled`.
    package static func service(of path: String) async throws -> ForeignService? {
        let files = try await ForeignExportReader.open([path])
        if let own = files.ownExport { throw ForeignExportError.ownExport(own) }
        guard let destination = LibraryPath("x") else { return nil }
        let reader = ForeignExportReader(
            files: files, paths: [path], options: ForeignExportOptions(destination: destination))
        if let service = try await reader.service() { return service }
        let name = path.split(separator: "/").last?.lowercased() ?? ""
        let folders = files.files.compactMap { $0.path.split(separator: "/").first?.lowercased() }
        if name == "takeout" || name.hasPrefix("takeout-") || folders.contains("takeout") { return .googlePhotos }
        return name.hasPrefix("icloud photos") || folders.contains { $0.hasPrefix("icloud photos") } ? .iCloud : nil
    }
}
