import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Secrets

/// The purpose for which a photo store is opened.
package enum StoreUse: Sendable {
    /// Does not start, resume or abort uploads of a backup.
    case reading
    case backingUp
}

/// The photo library of the signed-in account: uploads and downloads photos directly between this device and the photo
/// store, with credentials that are renewed automatically.
///
/// ```swift
/// let profile = try ProfileDirectory(URL(fileURLWithPath: "/Users/bob/.my-app"))
/// let network = PhotolalaNetwork()
/// let session = PhotolalaSession(
///     server: try ServerAddress("https://photos.example.org"), profile: profile,
///     storage: try profile.fileSecretStorage(), network: network)
/// let library = PhotolalaLibrary(session: session, profile: profile, network: network)
///
/// let backup = library.backUp(URL(fileURLWithPath: "/Users/bob/Pictures"))
/// for await progress in backup where progress.totalFiles > 0 {
///     print("\(progress.finishedFiles) of \(progress.totalFiles)")
/// }
/// let report = try await backup.report
/// for failure in report.failures { print("\(failure.path): \(failure.reason)") }
///
/// let photos = try await library.photos().ordered(by: .date, reversed: true)
/// for photo in photos.prefix(3) { print(photo.path, photo.taken ?? photo.modified) }
/// await network.close()
/// ```
///
/// All operations can be cancelled or killed at any time; running them again resumes them. They throw `notSignedIn` if
/// the session has no signed-in account.
public struct PhotolalaLibrary: Sendable {
    /// The previews that are created together with thumbnails.
    public var previews = PreviewChoice.jpeg()
    /// The maximum number of files that are transferred at the same time, 1 or more. With `nil` it is up to 16 uploads,
    /// as many as increase the rate, or 6 downloads. A network with a ``BandwidthSchedule`` sets it.
    public var parallelFiles: Int?
    /// Receives the outcome of each file of backups, syncs and restores, from concurrent tasks.
    public var onFile: (@Sendable (FileEvent) -> Void)?
    var parallelDownloads: Int { max(1, parallelFiles ?? RestoreSettings().parallelFiles) }
    let session: PhotolalaSession
    let stateFolder: String
    let thumbnails: (any PictureMaker)?
    let openStore: @Sendable (PhotolalaSession, StoreUse) async throws(PhotolalaError) -> any ObjectStore
    let sendReserved: ReservedSender
    let pressure: StorePressure
    let zone: CaptureZone?
    let now: @Sendable () -> Date
    let pause: Backoff
    let viewer: PhotoViewer

    /// - Parameters:
    ///   - stateFolder: The folder in which the device records which files it has read.
    ///   - cache: Caches photos for display.
    ///   - pressure: Receives the store's requests to slow down.
    ///   - zone: The device's time zone, for photos without one.
    ///   - sendReserved: Uploads to addresses that the server has reserved.
    package init(
        session: PhotolalaSession, stateFolder: String, thumbnails: (any PictureMaker)? = nil,
        cache: PhotoCache? = nil, pressure: StorePressure = StorePressure(), zone: CaptureZone? = nil,
        now: @escaping @Sendable () -> Date, sendReserved: @escaping ReservedSender,
        openStore: @escaping @Sendable (PhotolalaSession, StoreUse) async throws(PhotolalaError) -> any ObjectStore
    ) {
        self.session = session
        self.stateFolder = stateFolder
        self.thumbnails = thumbnails
        self.pressure = pressure
        self.zone = zone
        self.now = now
        self.openStore = openStore
        self.sendReserved = sendReserved
        pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
        viewer = PhotoViewer(session: session, cache: cache, pause: pause, openStore: openStore)
    }

    /// Backs up the photos and videos in a folder and its subfolders. Contents that are already stored are not uploaded
    /// again. Failed files are reported and never stop the others.
    /// - Parameters:
    ///   - folder: The folder, which is only read.
    ///   - selection: The files to back up, and their place in the library.
    ///   - verifying: Reads these photos back from the store and uploads lost or damaged ones again. Otherwise, the
    ///     first backup of a day checks about 500 of them in the store, different ones each day, and later backups
    ///     check a few.
    ///   - thumbnails: The thumbnails to create, if `photolala-thumbnailer` and libvips are installed; of videos with ffmpeg.
    public func backUp(
        _ folder: URL, selecting selection: FolderSelection = FolderSelection(), verifying: Bool = false,
        thumbnails: ThumbnailChoice = .ofNewPhotos
    ) -> Transfer<TransferProgress, BackupReport> {
        Transfer { progress throws(PhotolalaError) in
            let destination = try selection.checkedDestination()
            return try await backUp(
                .folder(folder, selection.patterns, into: destination), as: nil,
                only: try selection.wantedFiles(in: destination), verifying: verifying, thumbnails: thumbnails,
                progress: progress)
        }
    }

    /// Determines what a backup of a folder would do. Nothing is changed, neither on this device nor in the library, and
    /// stored photos are not checked.
    /// - Parameters:
    ///   - folder: The folder, which is only read.
    ///   - selection: The files to back up, and their place in the library.
    public func planBackUp(
        _ folder: URL, selecting selection: FolderSelection = FolderSelection()
    ) -> Transfer<TransferProgress, BackupReport> {
        Transfer { progress throws(PhotolalaError) in
            let destination = try selection.checkedDestination()
            let place = BackupPlace.folder(folder, selection.patterns, into: destination)
            let (user, store) = try await open(for: .reading)
            var settings = BackupSettings()
            place.configure(&settings)
            let backup = Backup(
                store: store, user: user, stateFolder: stateFolder, settings: settings, pause: pause, now: now)
            let counter = ProgressCounter(report: progress)
            let wanted = try selection.wantedFiles(in: destination)
            do throws(BackupError) {
                let summary = try await backup.predict(folder: folder.path, only: wanted) { counter.record($0) }
                return BackupReport(
                    of: place, summary: summary, isDryRun: true, lacksThumbnailTool: false, stopped: nil, storage: nil)
            } catch {
                throw PhotolalaError(error, folder: folder)
            }
        }
    }

    /// - Parameters:
    ///   - owner: The expected account, if it was determined earlier.
    ///   - wanted: The only files to back up; `nil` for all.
    ///   - deferred: Takes new contents instead of an upload.
    func backUp(
        _ place: BackupPlace, as owner: UserID?, only wanted: Set<LibraryPath>?, verifying: Bool,
        thumbnails choice: ThumbnailChoice, deferring deferred: (any DeferredUploads)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> BackupReport {
        try await syncUp(
            place, removals: .keep, as: owner, only: wanted, verifying: verifying, thumbnails: choice,
            deferring: deferred, progress: progress
        ).backup
    }

    /// Backs up a folder or source, and applies the removals in a source.
    func syncUp(
        _ place: BackupPlace, removals: RemovedAssets, as owner: UserID?, only wanted: Set<LibraryPath>?,
        verifying: Bool, thumbnails choice: ThumbnailChoice, deferring deferred: (any DeferredUploads)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> SourceSyncReport {
        let (user, store) = try await open(for: .backingUp)
        // Credentials of another account do not open this account's prefixes, no matter when the account changed.
        if let owner, owner != user { throw .notSignedIn }
        var settings = BackupSettings()
        settings.verifiesStoredBytes = verifying
        place.configure(&settings)
        settings.zone = zone
        settings.makesMissingThumbnails = choice == .ofAllPhotos
        settings.previewQuality = previews.quality
        settings.limitParallelFiles(parallelFiles)
        let uploads = uploads(to: store, of: user)
        var backup = Backup(
            store: uploads, user: user, device: try await session.catalogTag(),
            stateFolder: stateFolder, settings: settings, thumbnails: maker(for: choice), pause: pause,
            pressure: pressure, now: now
        )
        backup.deferred = deferred
        let meter = RateMeter(now: now)
        let counter = ProgressCounter {
            meter.record($0.movedBytes)
            progress($0)
        }
        let synced: SourceSyncSummary
        do {
            synced = try await place.run(backup, removals, only: wanted) { [onFile] event in
                counter.record(event)
                if let onFile, let file = FileEvent(event) { onFile(file) }
            }
        } catch {
            throw PhotolalaError(error, folder: place.folder)
        }
        // Used only for the next estimate.
        try? await meter.rate(to: session.server.description)?.save(in: stateFolder)
        let stop = try await reason(for: synced.backup.ending, of: user)
        if synced.backup.isComplete {
            // Only updates the list of devices, so its failure does not fail a successful backup.
            try? await session.limited(to: user).reportSync()
        }
        let report = BackupReport(
            of: place, summary: synced.backup, lacksThumbnailTool: lacksThumbnailTool(for: choice), stopped: stop,
            storage: uploads.quota.storageUsage
        )
        return SourceSyncReport(backup: report, synced)
    }

    /// Counts the files in the store and, if a folder is given, its files that wait for a backup. Photos without
    /// recorded state are read if the library has one of the same size.
    /// - Parameters:
    ///   - folder: The folder, which is only read.
    ///   - selection: The files to count, and their place in the library.
    ///   - offline: Reads the catalog as in ``photos(where:offline:)``.
    public func status(
        of folder: URL?, selecting selection: FolderSelection = FolderSelection(), offline: Bool = false
    ) -> Transfer<TransferProgress, LibraryOverview> {
        Transfer { progress throws(PhotolalaError) in
            let destination = try selection.checkedDestination()
            return try await status(
                of: folder.map { .folder($0, selection.patterns, into: destination) }, offline: offline,
                progress: progress)
        }
    }

    func status(
        of place: BackupPlace?, offline: Bool, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryOverview {
        let (user, store, cache) = try await openCatalog(offline: offline)
        do {
            return LibraryOverview(
                try await LibraryStatus.read(
                    store: store, user: user, of: place?.status ?? .nowhere, stateFolder: stateFolder, cache: cache,
                    pause: pause
                ) { progress(TransferProgress($0)) }
            )
        } catch {
            if offline, case .catalog = error { throw .incompleteCatalogCopy }
            throw PhotolalaError(error, folder: place?.folder)
        }
    }

    /// Repairs a damaged catalog: restores the newest snapshot that is completely readable, and adds the readable rows
    /// of newer ones. Nothing is deleted; the next backup of each device adds what is still missing.
    public func repairCatalog() async throws(PhotolalaError) -> CatalogRepair {
        let (user, store) = try await open(for: .reading)
        do {
            return CatalogRepair(try await CatalogStore(store: store, user: user, pause: pause).repair())
        } catch {
            throw PhotolalaError(error)
        }
    }

    func cache(_ user: UserID, isReadOnly: Bool = false) -> CatalogFolderCache {
        CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user), isReadOnly: isReadOnly)
    }

    /// Opens the catalog in the photo store, or this device's copy of it.
    func openCatalog(
        offline: Bool
    ) async throws(PhotolalaError) -> (user: UserID, store: any ObjectStore, cache: CatalogFolderCache) {
        guard offline else {
            let (user, store) = try await open(for: .reading)
            return (user, store, cache(user))
        }
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        let cache = cache(user, isReadOnly: true)
        guard await cache.lastRead() != nil else {
            throw PhotolalaError(code: .noCatalogCopy, detail: "This device has no copy of the catalog yet.")
        }
        return (user, CachedCatalogStore(cache, of: user), cache)
    }

    /// Returns when this device last read the whole catalog, to a copy that ``photos(where:offline:)`` and
    /// ``status(of:selecting:offline:)`` can read offline; `nil` if it has no copy.
    public func catalogCopyDate() async throws(PhotolalaError) -> Date? {
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        return await cache(user).lastRead().map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) }
    }

    func open(for use: StoreUse) async throws(PhotolalaError) -> (UserID, any ObjectStore) {
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        return (user, try await openStore(session.limited(to: user), use))
    }

    /// Returns why a transfer stopped. A denied request may mean an ended session, so the server is asked first.
    func reason(for ending: TransferEnding, of user: UserID) async throws(PhotolalaError) -> TransferStopReason? {
        switch ending {
        case .completed: return nil
        case .cancelled: throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
        case .stopped(let stop):
            if case .denied = stop {
                do throws(PhotolalaError) {
                    _ = try await session.limited(to: user).credentials()
                } catch {
                    return TransferStopReason(error)
                }
            }
            return TransferStopReason(PhotolalaError(stop))
        }
    }
}
