import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Secrets

/// What a photo store is opened for.
package enum StoreUse: Sendable {
    /// Nothing of a backup is begun, gone on with or given up.
    case looking
    case backingUp
}

/// The photos of the account that is signed in: brings them to the store and back, straight between this device and
/// the store, with credentials that are renewed on the way.
///
/// Everything can be cancelled or killed at any moment and run again: it goes on where it was.
public struct PhotolalaLibrary: Sendable {
    let session: PhotolalaSession
    let stateFolder: String
    let thumbnails: (any ThumbnailMaker)?
    let openStore: @Sendable (PhotolalaSession, StoreUse) async throws(PhotolalaError) -> any ObjectStore
    let sendReserved: ReservedSender
    let pressure: StorePressure
    let zone: CaptureZone?
    let now: @Sendable () -> Date
    let pause: Backoff

    /// - Parameters:
    ///   - stateFolder: where the device remembers which files it has read.
    ///   - pressure: told by the opened store when it is asked for less.
    ///   - zone: the device's time zone, for photos that do not tell theirs.
    ///   - sendReserved: sends to addresses that the server has reserved.
    package init(
        session: PhotolalaSession, stateFolder: String, thumbnails: (any ThumbnailMaker)? = nil,
        pressure: StorePressure = StorePressure(), zone: CaptureZone? = nil,
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
    }

    /// Backs up the photos and videos in a folder and its folders. What the store has already is not sent again; files
    /// that fail are in the report and never stop the others.
    /// - Parameters:
    ///   - folder: it is only read.
    ///   - verifying: reads back what the store has of these photos, and sends again what it lost or damaged; otherwise
    ///     the first of a day asks the store for about 500 of them, others each day, and later ones for a few.
    ///   - thumbnails: which to make, where libvips' `vipsthumbnail` is installed.
    public func backUp(
        _ folder: URL, verifying: Bool = false, thumbnails: ThumbnailChoice = .ofNewPhotos
    ) -> Transfer<TransferProgress, BackupReport> {
        Transfer { progress throws(PhotolalaError) in
            try await backUp(
                folder, as: nil, only: nil, verifying: verifying, thumbnails: thumbnails, progress: progress)
        }
    }

    /// - Parameters:
    ///   - owner: whose library it is meant for, when that was said before.
    ///   - wanted: the only files to back up; all when there is none.
    func backUp(
        _ folder: URL, as owner: UserID?, only wanted: Set<LibraryPath>?, verifying: Bool,
        thumbnails choice: ThumbnailChoice,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> BackupReport {
        let (user, store) = try await open(for: .backingUp)
        // Credentials of another account open none of this one's prefixes, whenever they were changed.
        if let owner, owner != user { throw .notSignedIn }
        var settings = BackupSettings()
        settings.readsBack = verifying
        settings.zone = zone
        settings.makesMissingThumbnails = choice == .ofAllPhotos
        let uploads = uploads(to: store, of: user)
        let backup = Backup(
            store: uploads, user: user, device: try await session.catalogTag(),
            stateFolder: stateFolder, settings: settings, thumbnails: choice == .none ? nil : thumbnails, pause: pause,
            pressure: pressure, now: now
        )
        let meter = RateMeter(now: now)
        let counter = ProgressCounter {
            meter.note($0.movedBytes)
            progress($0)
        }
        let summary: BackupSummary
        do {
            summary = try await backup.run(folder: folder.path, only: wanted) { counter.note($0) }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        // Only for the next estimate.
        try? await meter.rate(to: session.server.description)?.save(in: stateFolder)
        let stop = try await reason(for: summary.ending)
        if summary.isComplete {
            // Only for the list of devices: a backup that went well is no failure without it.
            try? await session.noteSync()
        }
        return BackupReport(
            folder: folder, summary: summary, lacksThumbnailTool: choice != .none && thumbnails == nil, stopped: stop,
            storage: uploads.room.standing
        )
    }

    /// Counts what is in the store and, when a folder is given, what of it waits for a backup. Photos that this device
    /// does not remember are read when the library has one of their length.
    /// - Parameter folder: it is only read.
    public func status(of folder: URL?) -> Transfer<TransferProgress, LibraryOverview> {
        Transfer { progress throws(PhotolalaError) in try await status(of: folder, progress: progress) }
    }

    private func status(
        of folder: URL?, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryOverview {
        let (user, store) = try await open(for: .looking)
        do {
            return LibraryOverview(
                try await LibraryStatus.read(
                    store: store, user: user, folder: folder?.path, stateFolder: stateFolder, pause: pause
                ) { progress(TransferProgress($0)) }
            )
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
    }

    /// Makes a damaged catalog readable again: goes back to the newest snapshot of which all can be read, and adds what
    /// can be read of newer ones. Nothing is deleted; the next backup of each device adds what is still missing.
    public func repairCatalog() async throws(PhotolalaError) -> CatalogRepair {
        let (user, store) = try await open(for: .looking)
        do {
            return CatalogRepair(try await CatalogStore(store: store, user: user, pause: pause).repair())
        } catch {
            throw PhotolalaError(error)
        }
    }

    func cache(_ user: UserID) -> CatalogFolderCache {
        CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user))
    }

    func open(for use: StoreUse) async throws(PhotolalaError) -> (UserID, any ObjectStore) {
        guard let user = try await session.signedInUser() else { throw .notSignedIn }
        return (user, try await openStore(session, use))
    }

    /// Why a transfer stopped, in the words of whoever knows best: a store that refuses may mean a session that ended.
    func reason(for ending: TransferEnding) async throws(PhotolalaError) -> TransferStopReason? {
        switch ending {
        case .completed: return nil
        case .cancelled: throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
        case .stopped(let stop):
            if case .denied = stop {
                do throws(PhotolalaError) {
                    _ = try await session.credentials()
                } catch {
                    return TransferStopReason(code: error.code, detail: error.detail)
                }
            }
            let error = PhotolalaError(stop)
            return TransferStopReason(code: error.code, detail: error.detail)
        }
    }
}
