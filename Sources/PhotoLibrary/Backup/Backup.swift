import Foundation
import ObjectStorage
import PhotolalaAPI

/// Brings a folder's photos and videos to the store, straight and in parallel, and their names and dates into the
/// catalog.
///
/// It can be stopped at any moment, by cancelling its task or by a crash, and run again: contents that are stored are
/// not sent again and files that have not changed are not read again.
package struct Backup: Sendable {
    let store: any ObjectStore
    let user: UserID
    let settings: BackupSettings
    let thumbnails: ThumbnailStep?
    private let stateFolder: String
    let pause: Backoff
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - thumbnails: who makes thumbnails; without one none are made.
    ///   - stateFolder: where this device remembers what it has read; made where it is missing.
    ///   - pause: between attempts to move the catalog on while others do.
    package init(
        store: any ObjectStore, user: UserID, stateFolder: String, settings: BackupSettings = BackupSettings(),
        thumbnails: (any ThumbnailMaker)? = nil, pause: Backoff, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.user = user
        self.settings = settings
        self.thumbnails = thumbnails.map { ThumbnailStep(store: store, user: user, maker: $0) }
        self.stateFolder = stateFolder
        self.pause = pause
        self.now = now
    }

    /// Backs up a folder. Files that fail are in the summary and never stop the others.
    /// - Throws: only when it could not begin.
    package func run(
        folder: String, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        report(.scanning)
        let root = try await attempt { () async throws(FileError) in
            try await FileWork.run { () throws(FileError) in try LocalFolder.resolve(folder) }
        }
        let journalFile = BackupJournal.path(in: stateFolder, user: user, root: root)
        let journal = try await attempt { () async throws(FileError) in
            try await FileWork.run { () throws(FileError) in BackupJournal.load(journalFile) }
        }
        let scan = try await attempt { () async throws(FileError) in
            try await FolderScan(root: root) { journal.unchanged($0, $1)?.type }.run()
        }
        report(.scanned(scan))
        let catalogs = CatalogStore(store: store, user: user, pause: pause)
        let version: CatalogStore.Version
        do { version = try await catalogs.load() } catch { throw .catalog(error) }
        let stored: StoredContents
        var storedThumbnails: StoredThumbnails?
        do {
            if thumbnails != nil, settings.makesMissingThumbnails {
                storedThumbnails = try await .load(from: store, user: user)
            }
            stored = try await .load(
                from: store, user: user, catalog: version.catalog,
                checks: settings.readsBack ? .max : settings.checkedContents, date: now()
            )
        } catch { throw .store(error) }

        let book = BackupBook(
            catalogs: catalogs, version: version, journal: journal, journalFile: journalFile, now: now
        )
        var run = BackupRun(
            backup: self, root: root, scan: scan, stored: stored, storedThumbnails: storedThumbnails, book: book,
            report: report
        )
        return await run.run()
    }

    private func attempt<Value>(
        _ work: () async throws(FileError) -> Value
    ) async throws(BackupError) -> Value {
        do { return try await work() } catch { throw error == .cancelled ? .cancelled : .folder(error) }
    }
}
