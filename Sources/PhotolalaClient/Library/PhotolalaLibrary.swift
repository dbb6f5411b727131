import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Secrets

/// The photos of the account that is signed in: brings them to the store and back, straight between this device and
/// the store, with credentials that are renewed on the way.
///
/// Everything can be cancelled or killed at any moment and run again: it goes on where it was.
public struct PhotolalaLibrary: Sendable {
    private let session: PhotolalaSession
    private let stateFolder: String
    private let thumbnails: (any ThumbnailMaker)?
    private let openStore: @Sendable (PhotolalaSession) async throws(PhotolalaError) -> any ObjectStore
    private let now: @Sendable () -> Date
    private let pause: Backoff

    /// - Parameter stateFolder: where the device remembers which files it has read.
    package init(
        session: PhotolalaSession, stateFolder: String, thumbnails: (any ThumbnailMaker)? = nil,
        now: @escaping @Sendable () -> Date,
        openStore: @escaping @Sendable (PhotolalaSession) async throws(PhotolalaError) -> any ObjectStore
    ) {
        self.session = session
        self.stateFolder = stateFolder
        self.thumbnails = thumbnails
        self.now = now
        self.openStore = openStore
        pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
    }

    /// Backs up the photos and videos in a folder and its folders. What the store has already is not sent again; files
    /// that fail are in the report and never stop the others.
    /// - Parameters:
    ///   - verifying: reads back what the store has of these photos, and sends again what it lost or damaged; otherwise
    ///     the store is asked for about 500 of them, others each day.
    ///   - thumbnails: which to make, where libvips' `vipsthumbnail` is installed.
    ///   - progress: called often and from several tasks.
    /// - Throws: when it could not begin, and `cancelled`.
    public func backUp(
        _ folder: URL, verifying: Bool = false, thumbnails choice: ThumbnailChoice = .ofNewPhotos,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> BackupReport {
        let (user, store) = try await open()
        var settings = BackupSettings()
        settings.readsBack = verifying
        settings.makesMissingThumbnails = choice == .ofAllPhotos
        let backup = Backup(
            store: store, user: user, stateFolder: stateFolder, settings: settings,
            thumbnails: choice == .none ? nil : thumbnails, pause: pause, now: now
        )
        let counter = ProgressCounter(report: progress)
        let summary: BackupSummary
        do {
            summary = try await backup.run(folder: folder.path) { counter.note($0) }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        let stop = try await reason(for: summary.ending)
        if summary.isComplete {
            // Only for the list of devices: a backup that went well is no failure without it.
            try? await session.noteSync()
        }
        return BackupReport(
            folder: folder, summary: summary, lacksThumbnailTool: choice != .none && thumbnails == nil, stopped: stop
        )
    }

    /// Brings the photos of the library to a folder, with their names and dates. Nothing that stands there is replaced.
    /// - Parameter isWanted: picks by path; all when left out.
    /// - Throws: when it could not begin, and `cancelled`.
    public func restore(
        to folder: URL, isWanted: (String) -> Bool = { _ in true },
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> RestoreReport {
        let (user, store) = try await open()
        let counter = ProgressCounter(report: progress)
        let summary: RestoreSummary
        do {
            summary = try await Restore(store: store, user: user, pause: pause).run(
                into: folder.path, isWanted: { isWanted($0.path.description) }, report: { counter.note($0) }
            )
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        return RestoreReport(folder: folder, summary: summary, stopped: try await reason(for: summary.ending))
    }

    /// Counts what is in the store and, when a folder is given, what of it waits for a backup. Photos that this device
    /// does not remember are read when the library has one of their length.
    /// - Parameter progress: of reading such photos.
    public func status(
        of folder: URL?, progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(PhotolalaError) -> LibraryOverview {
        let (user, store) = try await open()
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

    /// The photos of the library, in the order of their paths.
    public func photos() async throws(PhotolalaError) -> [LibraryPhoto] {
        let (user, store) = try await open()
        do {
            return try await CatalogStore(store: store, user: user, pause: pause).load().catalog.entries
                .map(LibraryPhoto.init)
        } catch {
            throw PhotolalaError(error)
        }
    }

    /// Makes a damaged catalog readable again: goes back to the newest snapshot that can be read, and begins anew when
    /// none can. Nothing is deleted; the next backup of each device adds what the snapshot does not have.
    public func repairCatalog() async throws(PhotolalaError) -> CatalogRepair {
        let (user, store) = try await open()
        do {
            return CatalogRepair(try await CatalogStore(store: store, user: user, pause: pause).repair())
        } catch {
            throw PhotolalaError(error)
        }
    }

    private func open() async throws(PhotolalaError) -> (UserID, any ObjectStore) {
        guard let user = try await session.signedInUser() else { throw .notSignedIn }
        return (user, try await openStore(session))
    }

    /// Why a transfer stopped, in the words of whoever knows best: a store that refuses may mean a session that ended.
    private func reason(for ending: TransferEnding) async throws(PhotolalaError) -> TransferStopReason? {
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
