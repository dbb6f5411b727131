import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Syncs a folder, and again each time the folder or the library changes. Waits until changes have settled, and
    /// retries while there is no connection. On Linux and macOS the system reports changes; on iOS the folder is scanned
    /// once a minute.
    /// - Parameters:
    ///   - folder: The folder, including all its subfolders.
    ///   - options: Additional actions of each sync that are off by default.
    ///   - thumbnails: The thumbnails to create, if `photolala-thumbnailer` and libvips are installed; of videos with ffmpeg.
    ///   - libraryInterval: The interval at which the library is polled for changes.
    ///   - confirming: Called as in ``sync(_:options:thumbnails:confirming:)``.
    public func watch(
        _ folder: URL, options: SyncOptions = SyncOptions(), thumbnails: ThumbnailChoice = .ofNewPhotos,
        libraryInterval: Duration = .seconds(30),
        confirming: @escaping @Sendable (FirstDownload) async -> Bool = { _ in true }
    ) -> FolderWatching {
        FolderWatching { report, progress throws(PhotolalaError) in
            try await watch(
                folder, options: options, thumbnails: thumbnails, libraryInterval: libraryInterval,
                confirming: confirming, report: report, progress: progress
            )
        }
    }

    private func watch(
        _ folder: URL, options: SyncOptions, thumbnails choice: ThumbnailChoice, libraryInterval: Duration,
        confirming: @escaping @Sendable (FirstDownload) async -> Bool,
        report: @escaping @Sendable (SyncWatchEvent) -> Void, progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws(PhotolalaError) -> Never {
        let (inbox, origin) = (WatchInbox(), ContinuousClock.now)
        let watched = try makeWatchedFolder(folder, inbox)
        let store = CachedStore(library: self)
        let watch = SyncWatch(
            sync: { () async throws(PhotolalaError) in
                try await store.use { (opened) async throws(PhotolalaError) in
                    try await sync(
                        folder, options: options, thumbnails: choice, confirming: confirming, through: opened,
                        progress: progress)
                }
            },
            updateFolderWatch: { await watched?.updateWatch() ?? false },
            libraryVersion: { () async throws(PhotolalaError) in
                try await store.use { (opened) async throws(PhotolalaError) in try await version(of: opened) }
            },
            clock: { (ContinuousClock.now - origin) / .seconds(1) },
            sleep: { try? await Task.sleep(for: .seconds(min($0, 86_400))) },
            jitter: { Double.random(in: 0...1) }, report: report
        )
        let plan = WatchPlan(
            libraryInterval: max(1, libraryInterval / .seconds(1)), isWatched: watched != nil, at: 0)
        try await watch.run(plan, inbox)
    }

    /// Returns the watched folder, or `nil` if the system does not report changes.
    private func makeWatchedFolder(_ folder: URL, _ inbox: WatchInbox) throws(PhotolalaError) -> WatchedFolder? {
        #if os(Linux) || os(macOS)
            #if os(macOS)
                let watcher = FSEventsWatcher()
            #else
                let watcher = InotifyWatcher()
            #endif
            do {
                return try WatchedFolder(folder.path, by: watcher) { inbox.post($0) }
            } catch {
                // The system cannot watch any more folders.
                guard error == .missing || error == .wrongKind else {
                    inbox.post(.watchesOnlyPart)
                    return nil
                }
                throw PhotolalaError(BackupError.folder(error), folder: folder)
            }
        #else
            return nil
        #endif
    }

    /// Returns the entity tag of the catalog pointer.
    private func version(
        of opened: (user: UserID, store: any ObjectStore)
    ) async throws(PhotolalaError) -> String {
        do {
            return try await CatalogStore(store: opened.store, user: opened.user, pause: pause).pointerTag()?
                .description ?? ""
        } catch {
            throw PhotolalaError(error)
        }
    }
}

/// A photo store that is opened once and reused. It renews its credentials automatically.
private actor CachedStore {
    private let library: PhotolalaLibrary
    private var opened: (user: UserID, store: any ObjectStore)?

    init(library: PhotolalaLibrary) { self.library = library }

    func use<Value: Sendable>(
        _ work: @Sendable ((user: UserID, store: any ObjectStore)) async throws(PhotolalaError) -> Value
    ) async throws(PhotolalaError) -> Value {
        if opened == nil { opened = try await library.open(for: .backingUp) }
        guard let opened else { throw .notSignedIn }
        do throws(PhotolalaError) {
            return try await work(opened)
        } catch {
            // A denied request may mean an ended session, which the server reports.
            if error.code == .photoStoreFailed { _ = try await library.session.limited(to: opened.user).credentials() }
            throw error
        }
    }
}
