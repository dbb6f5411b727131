import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The number and size of the files on this device and in the store.
package struct LibraryStatus: Sendable, Equatable {
    /// Entries of the catalog, and the bytes of their contents; each content counts once.
    package var storedFiles = 0
    package var storedBytes: Int64 = 0
    /// Entries with a capture date that is no possible date; it counts as unknown.
    package var unreadableDates = 0
    /// Photos and videos in the folder.
    package var localFiles = 0
    package var localBytes: Int64 = 0
    /// Those of them whose content is in the library.
    package var backedUpFiles = 0
    /// Those that are in the library's trash at the same path, and not in the library itself: a backup does not restore
    /// them.
    package var trashedFiles = 0
    /// Those that were permanently deleted from the library's trash: a backup does not restore them.
    package var deletedFiles = 0
    /// The remaining files, which are not backed up yet.
    package var waitingFiles = 0
    /// Entries whose content was not found in the folder.
    package var onlyStoredFiles = 0
    /// Files that could not be read; they count neither as backed up nor as waiting.
    package var problems: [ScanProblem] = []

    private init(catalog: Catalog) {
        storedFiles = catalog.count
        storedBytes = catalog.contents.reduce(0) { $0.addingCapped($1.size) }
        onlyStoredFiles = catalog.count
        unreadableDates = catalog.unreadDateCount
    }

    private init(catalog: Catalog, scan: ScanResult, contents: LocalContents) {
        self.init(catalog: catalog)
        localFiles = scan.files.count
        localBytes = scan.bytes
        problems = scan.problems + contents.problems
        let stored = catalog.contents
        let seen = scan.files.compactMap { file in
            contents.digests[file.path].flatMap { stored[$0] == nil ? nil : $0 }
        }
        trashedFiles = scan.files.count { file in
            contents.digests[file.path].map { stored[$0] == nil && catalog.hasInTrash(file.path, $0) } ?? false
        }
        deletedFiles = scan.files.count { file in
            contents.digests[file.path].map { stored[$0] == nil && catalog.isDeleted(file.path, $0) } ?? false
        }
        backedUpFiles = seen.count
        waitingFiles = localFiles - backedUpFiles - trashedFiles - deletedFiles - contents.problems.count
        onlyStoredFiles = catalog.count(without: Set(seen))
    }

    /// Reads the catalog and scans the folder, if one is given. A file is read only if the journal does not contain it
    /// and a content in the catalog has the same length; other files cannot be in the catalog.
    /// - Parameter report: Called after each file that was read.
    package static func read(
        store: any ObjectStore, user: UserID, folder: String?, stateFolder: String, pause: Backoff,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws(BackupError) -> LibraryStatus {
        let catalog: Catalog
        do {
            let cache = CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user))
            catalog = try await CatalogStore(store: store, user: user, cache: cache, pause: pause).load().catalog
        } catch { throw .catalog(error) }
        guard let folder else { return LibraryStatus(catalog: catalog) }
        do {
            let (root, journal) = try await FileWork.run { () throws(FileError) in
                let root = try LocalFolder.resolve(folder)
                return (root, BackupJournal.load(BackupJournal.path(in: stateFolder, user: user, root: root)))
            }
            let walk = FolderScan(
                root: root, knownType: { journal.unchanged($0, $1)?.type }, isNonMedia: journal.isNonMedia
            )
            let scan = try await walk.run()
            let sizes = Set(catalog.contentsEver.map(\.size))
            let contents = try await LocalContents.read(scan.files, root: root, journal: journal, report: report) {
                sizes.contains($0)
            }
            return LibraryStatus(catalog: catalog, scan: scan, contents: contents)
        } catch { throw error == .cancelled ? .cancelled : .folder(error) }
    }
}
