import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// A backup of a folder or a source of assets: uploads its photos and videos to the store, in parallel, and adds their
/// paths and dates to the catalog.
///
/// It can be stopped at any time, by cancellation or by a crash, and run again: stored contents are not uploaded again,
/// and unchanged files are not read again.
package struct Backup: Sendable {
    let store: any ObjectStore
    let user: UserID
    let device: DeviceTag
    let settings: BackupSettings
    let thumbnails: ThumbnailStep?
    let stateFolder: String
    let pause: Backoff
    let now: @Sendable () -> Date
    let pressure: StorePressure
    /// Takes new contents instead of an upload.
    package var deferred: (any DeferredUploads)?
    /// Whether nothing is written on this device, not even to the cache of the catalog.
    private var isReadOnly = false

    /// - Parameters:
    ///   - device: The device that is recorded as the author of the catalog changes.
    ///   - thumbnails: Makes thumbnails and previews; without it none are made.
    ///   - stateFolder: The folder in which this device stores its backup state; created if it does not exist.
    ///   - pause: The backoff between attempts to update the catalog while other devices commit.
    ///   - pressure: Set by the store's client when the store throttles requests.
    package init(
        store: any ObjectStore, user: UserID, device: DeviceTag = .none, stateFolder: String,
        settings: BackupSettings = BackupSettings(), thumbnails: (any PictureMaker)? = nil, pause: Backoff,
        pressure: StorePressure = StorePressure(), now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.user = user
        self.device = device
        self.settings = settings
        self.thumbnails = thumbnails.map { ThumbnailStep(maker: $0, previewQuality: settings.previewQuality) }
        self.stateFolder = stateFolder
        self.pause = pause
        self.now = now
        self.pressure = pressure
    }

    /// This backup for a dry run, which writes nothing on this device.
    var readingOnly: Backup {
        var backup = self
        backup.isReadOnly = true
        return backup
    }

    /// How many times a backup restarts because of purges.
    private static let maximumPasses = 100

    /// Backs up a folder. Files that fail are listed in the summary and do not stop the others. While a purge deletes
    /// photos permanently, the backup waits for its end and then checks again which contents are stored.
    /// - Parameter wanted: The only files to back up; `nil` for all. Other files are treated as absent, but this
    ///   device's state for them is kept.
    /// - Throws: Only if the backup could not begin.
    package func run(
        folder: String, only wanted: Set<LibraryPath>? = nil, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        report(.scanning)
        return try await run(open(folder).files, only: wanted, report: report)
    }

    func run(
        _ opened: OpenedFiles, only wanted: Set<LibraryPath>?, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        var earlier: BackupSummary?
        for _ in 1...Self.maximumPasses {
            do throws(BackupError) {
                let summary = try await runPass(opened, only: wanted, report: report)
                earlier = summary.following(earlier, makesMissingThumbnails: settings.makesMissingThumbnails)
            } catch {
                guard error == .catalog(.purging) else {
                    // The results of earlier passes are reported even if this one fails.
                    guard let earlier else { throw error }
                    return earlier.ended(by: error)
                }
            }
            if let earlier, earlier.ending != .stopped(.catalog(.purging)) { return earlier }
            do throws(CatalogError) {
                guard try await catalogs.waitForPurge() else { break }
            } catch {
                guard let earlier else { throw .catalog(error) }
                return earlier.ended(by: .catalog(error))
            }
        }
        guard let earlier else { throw Task.isCancelled ? .cancelled : .catalog(.purging) }
        return Task.isCancelled ? earlier.ended(by: .cancelled) : earlier
    }

    private func runPass(
        _ opened: OpenedFiles, only wanted: Set<LibraryPath>?, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        let start = now()
        let rootContent = try await opened.source.content(of: nil)
        let hadFiles = !opened.journal.entries.isEmpty
        var (summary, _) = try await backUp(
            opened, only: wanted, rootContent: rootContent, since: start, report: report)
        if rootContent.isEmpty, hadFiles { summary.problems.append(opened.source.emptied) }
        return summary
    }

    /// Backs up opened files in four stages, which overlap: photos are transferred while further folders are
    /// listed, and committed while others are transferred.
    /// - Parameters:
    ///   - rootContent: The content of the root folder, and of those folders in it that are not to be walked.
    ///   - start: The time at which listing the root folder began.
    ///   - version: The catalog, if it is already loaded.
    ///   - mapping: Maps each file to catalog changes, instead of adding it at its path.
    func backUp(
        _ opened: OpenedFiles, only wanted: Set<LibraryPath>? = nil, rootContent: FolderContent, since start: Date,
        version: CatalogStore.Version? = nil, mapping: (any CatalogChangeMapping)? = nil,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> (summary: BackupSummary, version: CatalogStore.Version?) {
        var run = try await BackupRun(
            self, of: opened, only: wanted, rootContent: rootContent, since: start, version: version, mapping: mapping,
            report: report)
        await withTaskGroup(of: BackupRun.Completion.self) { group in
            while true {
                run.scan(in: &group)
                while let step = run.plan(), run.transfer(step, in: &group) {}
                if let completion = await group.next() {
                    run.record(completion)
                } else if run.isOver {
                    break
                }
                await run.commitIfDue()
            }
        }
        if let maker = thumbnails?.maker {
            await run.checkTool(maker)
            await maker.endIdleProcesses()
        }
        await run.finish()
        return (run.summary, run.commits.version)
    }

    func open(_ folder: String) async throws(BackupError) -> OpenedFolder {
        let (filter, destination, isReadOnly) = (settings.filter, settings.destination, isReadOnly)
        return try await mapFileErrors { () async throws(FileError) in
            try await FileWork.run { () throws(FileError) in
                try OpenedFolder(
                    folder, user: user, stateFolder: stateFolder, filter: filter, destination: destination,
                    isReadOnly: isReadOnly)
            }
        }
    }

    /// - Parameter recordsRemovals: Whether the state of the source records resources that are missing from now on.
    func open(
        _ source: any AssetSource, recordsRemovals: Bool
    ) async throws(BackupError) -> (files: AssetFiles, all: OpenedFiles) {
        let (user, stateFolder, zone) = (user, stateFolder, settings.zone)
        return try await mapFileErrors { () async throws(FileError) in
            try await FileWork.run { () throws(FileError) in
                let opened = AssetFiles.open(
                    source, user: user, stateFolder: stateFolder, zone: zone, isReadOnly: false,
                    recordsRemovals: recordsRemovals)
                return (
                    opened.files,
                    OpenedFiles(source: opened.files, journal: opened.journal, journalFile: opened.journalFile)
                )
            }
        }
    }

    var catalogs: CatalogStore {
        let cache = CatalogFolderCache(
            folder: CatalogFolderCache.folder(in: stateFolder, user: user), isReadOnly: isReadOnly)
        let undo = UndoFile(stateFolder: stateFolder, user: user, now: now)
        return CatalogStore(store: store, user: user, device: device, cache: cache, recorder: undo, pause: pause)
    }

    /// The folder of temporary files of which pictures are made.
    var picturesFolder: String { "\(stateFolder)/pictures/\(user)" }

    /// The current day, counted from 1970.
    var today: Int { CommitBuffer.day(of: now()) }

    private func mapFileErrors<Value>(
        _ work: () async throws(FileError) -> Value
    ) async throws(BackupError) -> Value {
        do { return try await work() } catch { throw BackupError(error) }
    }
}
