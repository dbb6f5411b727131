import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Makes a folder and the library hold the same, in both directions. What was removed from the folder goes to the
    /// library's trash, what was put there by other devices to `.photolala-trash` in the folder; nothing is deleted.
    /// Files that fail are in the report and never stop the others. It does not begin (`sync_under_way`) while another one
    /// of this folder is under way, on whatever device, nor (`nested_folders`) where a folder above or inside it is synced.
    /// - Parameters:
    ///   - folder: all of it, with all folders in it.
    ///   - options: what may be done beyond the usual.
    ///   - thumbnails: which to make, where libvips' `vipsthumbnail` is installed.
    public func sync(
        _ folder: URL, options: SyncOptions = SyncOptions(), thumbnails: ThumbnailChoice = .ofNewPhotos
    ) -> Transfer<SyncProgress, SyncReport> {
        Transfer(isOvertaken: { $0.isOvertaken(by: $1) }) { progress throws(PhotolalaError) in
            let opened = try await open(for: options.isDryRun ? .looking : .backingUp)
            return try await sync(folder, options: options, thumbnails: thumbnails, through: opened, progress: progress)
        }
    }

    func sync(
        _ folder: URL, options: SyncOptions, thumbnails choice: ThumbnailChoice,
        through opened: (user: UserID, store: any ObjectStore), progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws(PhotolalaError) -> SyncReport {
        let (user, store) = opened
        var settings = SyncSettings()
        settings.trashesAllMissing = options.trashesAllMissing
        settings.followsAllTrash = options.followsAllTrash
        settings.isDryRun = options.isDryRun
        var backing = BackupSettings()
        backing.makesMissingThumbnails = choice == .ofAllPhotos
        backing.zone = zone
        let uploads = uploads(to: store, of: user)
        let backup = Backup(
            store: uploads, user: user, device: try await session.catalogTag(),
            stateFolder: stateFolder, settings: backing, thumbnails: choice == .none ? nil : thumbnails, pause: pause,
            pressure: pressure, now: now
        )
        let sync = Sync(
            backup: backup, restore: Restore(store: store, user: user, pause: pause), settings: settings)
        let there = ProgressCounter { progress(SyncProgress(direction: .toLibrary, transfer: $0)) }
        let here = ProgressCounter { progress(SyncProgress(direction: .toFolder, transfer: $0)) }
        let summary: SyncSummary
        do {
            summary = try await sync.run(folder: folder.path) { event in
                switch event {
                case .toLibrary(let event): there.note(event)
                case .toFolder(let event): here.note(event)
                }
            }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        let stop = try await reason(for: summary.ending)
        if summary.isComplete, summary.didSomething, !options.isDryRun {
            // Only for the list of devices: a sync that went well is no failure without it.
            try? await session.noteSync()
        }
        return SyncReport(
            folder: folder, summary: summary, isDryRun: options.isDryRun,
            lacksThumbnailTool: choice != .none && thumbnails == nil, stopped: stop, storage: uploads.room.standing
        )
    }
}

extension PhotolalaError {
    init(_ error: SyncError, folder: URL) {
        switch error {
        case .underWay:
            self.init(code: .syncUnderWay, detail: "Another sync of \(folder.path) is under way.")
        case .nested(let other):
            let words =
                "\(other) is synced, too, and each would go on copying what the other has. Sync one of them; where that is "
                + "not synced any more, remove the file .photolala-folder in it."
            self.init(code: .nestedFolders, detail: "\(folder.path) cannot be synced: \(words)")
        case .folder(let error): self.init(BackupError.folder(error), folder: folder)
        case .catalog(let error): self.init(error)
        case .store(let error): self.init(error)
        case .cancelled: self.init(BackupError.cancelled, folder: folder)
        }
    }
}
