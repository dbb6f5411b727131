import Foundation
import PhotoCatalog
import PhotoSync

extension PhotolalaLibrary {
    /// Backs up the assets of a source. Resources that were read by an earlier backup and have not changed are not read
    /// again, and contents that are already stored are not uploaded again. Resources that cannot be read, such as
    /// photos in iCloud without a network, are reported and never stop the others; the next backup tries them again.
    ///
    /// Thumbnails and previews are those of ``PhotoSource/thumbnail(of:in:maximumPixels:)``. Missing ones are made as by
    /// ``backUp(_:selecting:verifying:thumbnails:)``, of a temporary copy of the photo.
    /// - Parameters:
    ///   - source: The source, which is only read.
    ///   - verifying: Reads the photos back from the store, as in ``backUp(_:selecting:verifying:thumbnails:)``.
    public func backUp(
        _ source: any PhotoSource, verifying: Bool = false
    ) -> Transfer<TransferProgress, BackupReport> {
        Transfer { progress throws(PhotolalaError) in
            let place = BackupPlace(source)
            return try await backUp(
                place, as: nil, only: nil, verifying: verifying,
                thumbnails: .ofNewPhotos, progress: progress)
        }
    }

    /// Counts the files in the store, and the resources of a source that wait for a backup. Resources of unknown size
    /// that were never backed up count as waiting and are not read.
    /// - Parameter source: The source, which is only read.
    public func status(of source: any PhotoSource) -> Transfer<TransferProgress, LibraryOverview> {
        Transfer { progress throws(PhotolalaError) in
            try await status(of: BackupPlace(source), offline: false, progress: progress)
        }
    }

    /// Lists a source and estimates the migration of its photos to the account. Nothing is read or stored: resources
    /// that were never backed up count as waiting, and those of unknown size without their bytes.
    /// - Parameters:
    ///   - source: The source, which is only read.
    ///   - filter: The photos to migrate, with their companion files. A photo that was never read has the date of its
    ///     asset.
    public func assessMigration(
        of source: any PhotoSource, where filter: PhotoFilter = PhotoFilter()
    ) -> Transfer<TransferProgress, LibraryMigrationAssessment> {
        if let source = source as? FolderSource { return assessMigration(of: [source.folder], where: filter) }
        return Transfer { _ throws(PhotolalaError) in
            let (user, store) = try await open(for: .reading)
            let scan: LocalScan
            do throws(BackupError) {
                scan = try await LocalScan.list(SourceAssets(source), user: user, stateFolder: stateFolder)
            } catch {
                throw PhotolalaError(error, folder: nil)
            }
            let failures = scan.problems.map { FileFailure($0.path, $0.reason.failure) }
            return try await assess(([scan], [], failures), where: filter, source: source, user: user, store: store)
        }
    }
}

/// The photos on this device that are backed up.
enum BackupPlace: Sendable {
    /// A folder of this device, whose files belong to a folder of the library or, with `nil`, to its root.
    case folder(URL, FolderPatterns = FolderPatterns(), into: LibraryPath? = nil)
    case source(any PhotoSource)

    /// A `FolderSource` is its folder: both have the same state on this device.
    init(_ source: any PhotoSource) {
        if let source = source as? FolderSource {
            self = .folder(source.folder, source.patterns)
        } else {
            self = .source(source)
        }
    }

    var folder: URL? { if case .folder(let folder, _, _) = self { folder } else { nil } }

    var destination: LibraryPath? { if case .folder(_, _, let destination) = self { destination } else { nil } }

    var name: String {
        switch self {
        case .folder(let folder, _, _): folder.path
        case .source(let source): source.id
        }
    }

    var status: LibraryStatus.Place {
        switch self {
        case .folder(let folder, let patterns, let destination):
            .folder(folder.path, patterns.filter, into: destination)
        case .source(let source): .source(SourceAssets(source))
        }
    }

    /// Adds what a backup of this place needs to its settings.
    func configure(_ settings: inout BackupSettings) {
        guard case .folder(_, let patterns, let destination) = self else { return }
        (settings.filter, settings.destination) = (patterns.filter, destination)
    }

    func run(
        _ backup: Backup, _ removals: RemovedAssets, only wanted: Set<LibraryPath>?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> SourceSyncSummary {
        switch self {
        case .folder(let folder, _, _):
            return SourceSyncSummary(
                backup: try await backup.run(folder: folder.path, only: wanted, report: report))
        case .source(let source):
            let sync = SourceSync(backup, settings: removals.settings)
            return try await sync.run(source: SourceAssets(source), only: wanted, report: report)
        }
    }
}
