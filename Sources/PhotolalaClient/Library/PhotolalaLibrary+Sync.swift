import Foundation
import ObjectStorage
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Synchronizes a folder and the library in both directions. Files removed from the folder move to the library's
    /// trash; files trashed by other devices move to `.photolala-trash` in the folder. Nothing is deleted. Failed files
    /// are reported and never stop the others.
    ///
    /// Does not start (`sync_under_way`) while another sync of this folder runs on any device, nor (`nested_folders`)
    /// if a folder above or inside it is synced.
    /// - Parameters:
    ///   - folder: The folder, including all its subfolders.
    ///   - options: Additional actions that are off by default.
    ///   - thumbnails: The thumbnails to create, if `photolala-thumbnailer` and libvips are installed; of videos with ffmpeg.
    ///   - confirming: Called before anything is changed, if the folder receives photos of the library for the first time.
    ///     If it returns `false`, the sync fails with `download_not_confirmed`.
    public func sync(
        _ folder: URL, options: SyncOptions = SyncOptions(), thumbnails: ThumbnailChoice = .ofNewPhotos,
        confirming: @escaping @Sendable (FirstDownload) async -> Bool = { _ in true }
    ) -> Transfer<SyncProgress, SyncReport> {
        Transfer(isOvertaken: { $0.isSuperseded(by: $1) }) { progress throws(PhotolalaError) in
            let opened = try await open(for: options.isDryRun ? .reading : .backingUp)
            return try await sync(
                folder, options: options, thumbnails: thumbnails, confirming: confirming, through: opened,
                progress: progress)
        }
    }

    func sync(
        _ folder: URL, options: SyncOptions, thumbnails choice: ThumbnailChoice,
        confirming: @escaping @Sendable (FirstDownload) async -> Bool,
        through opened: (user: UserID, store: any ObjectStore), progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws(PhotolalaError) -> SyncReport {
        let (user, store) = opened
        var settings = SyncSettings()
        settings.trashesAllMissing = options.trashesAllMissing
        settings.followsAllTrash = options.followsAllTrash
        settings.isDryRun = options.isDryRun
        settings.directions = options.directions.synced
        var backing = BackupSettings()
        backing.makesMissingThumbnails = choice == .ofAllPhotos
        backing.previewQuality = previews.quality
        backing.zone = zone
        backing.filter = options.patterns.filter
        backing.limitParallelFiles(parallelFiles)
        var downloads = RestoreSettings()
        downloads.parallelFiles = parallelDownloads
        let uploads = uploads(to: store, of: user)
        let backup = Backup(
            store: uploads, user: user, device: try await session.catalogTag(),
            stateFolder: stateFolder, settings: backing, thumbnails: maker(for: choice), pause: pause,
            pressure: pressure, now: now
        )
        var sync = Sync(
            backup: backup, restore: Restore(store: store, user: user, settings: downloads, pause: pause),
            settings: settings)
        sync.confirmsDownload = { await confirming(FirstDownload($0, to: folder)) }
        let toLibrary = ProgressCounter { progress(SyncProgress(direction: .toLibrary, transfer: $0)) }
        let toFolder = ProgressCounter { progress(SyncProgress(direction: .toFolder, transfer: $0)) }
        let summary: SyncSummary
        do {
            summary = try await sync.run(folder: folder.path) { [onFile] event in
                switch event {
                case .toLibrary(let event):
                    toLibrary.record(event)
                    if let onFile, let file = FileEvent(event) { onFile(file) }
                case .toFolder(let event):
                    toFolder.record(event)
                    if let onFile, let file = FileEvent(event) { onFile(file) }
                }
            }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        let stop = try await reason(for: summary.ending, of: user)
        if summary.isComplete, summary.didSomething, !options.isDryRun {
            // Only updates the list of devices, so its failure does not fail a successful sync.
            try? await session.limited(to: user).reportSync()
        }
        return SyncReport(
            folder: folder, summary: summary, isDryRun: options.isDryRun,
            lacksThumbnailTool: lacksThumbnailTool(for: choice), stopped: stop, storage: uploads.quota.storageUsage
        )
    }
}

extension PhotolalaError {
    init(_ error: SyncError, folder: URL) {
        switch error {
        case .underWay:
            self.init(code: .syncUnderWay, detail: "Another sync of \(folder.path) is in progress.")
        case .nested(let other):
            let reason =
                "\(other) is already synced, and one contains the other. Sync only one of them. If \(other) is no longer "
                + "synced, remove its .photolala-folder file."
            self.init(code: .nestedFolders, detail: "Cannot sync \(folder.path): \(reason)")
        case .notConfirmed:
            self.init(
                code: .downloadNotConfirmed,
                detail: "Nothing was synced: the download to \(folder.path) was not confirmed.")
        case .folder(let error): self.init(BackupError.folder(error), folder: folder)
        case .state(let error, let path): self.init(BackupError.state(error, path: path), folder: folder)
        case .catalog(let error): self.init(error)
        case .store(let error): self.init(error)
        case .cancelled: self.init(BackupError.cancelled, folder: folder)
        }
    }
}
