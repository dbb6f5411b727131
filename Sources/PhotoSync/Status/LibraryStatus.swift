import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The number and size of the files on this device and in the store.
package struct LibraryStatus: Sendable, Equatable {
    /// Entries of the catalog, and the bytes of their contents; each content counts once.
    package var storedFiles = 0
    package var storedBytes: Int64 = 0
    /// Entries whose content another entry has, too.
    package var duplicateFiles = 0
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
        duplicateFiles = catalog.count
        for content in catalog.contents {
            storedBytes = storedBytes.addingCapped(content.size)
            duplicateFiles -= 1
        }
        onlyStoredFiles = catalog.count
        unreadableDates = catalog.unreadDateCount
    }

    private init(catalog: Catalog, scan: ScanResult, contents: LocalContents) {
        self.init(catalog: catalog)
        localFiles = scan.files.count - contents.leftOut.count
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

    /// Reads the catalog and scans the folder or source, if one is given. A file is read only if the journal does not contain it
    /// and a content in the catalog has the same length; other files cannot be in the catalog.
    /// - Parameters:
    ///   - cache: The catalog's cache on this device; by default the one in the state folder.
    ///   - report: Called after each file that was read.
    package static func read(
        store: any ObjectStore, user: UserID, of place: Place, stateFolder: String,
        cache: CatalogFolderCache? = nil, pause: Backoff,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws(BackupError) -> LibraryStatus {
        let catalog: Catalog
        do {
            let cache = cache ?? CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user))
            catalog = try await CatalogStore(store: store, user: user, cache: cache, pause: pause).load().catalog
        } catch { throw .catalog(error) }
        let found: OpenedFiles?
        do {
            found = try await FileWork.run { () throws(FileError) in
                try place.open(user: user, stateFolder: stateFolder)
            }
        } catch { throw BackupError(error) }
        guard let opened = found else { return LibraryStatus(catalog: catalog) }
        let scan = try await opened.source.allFiles()
        let sizes = Set(catalog.contentsEver.map(\.size))
        do {
            let contents = try await LocalContents.read(
                scan.files, from: opened.source, journal: opened.journal, report: report
            ) {
                sizes.contains($0)
            }
            return LibraryStatus(catalog: catalog, scan: scan, contents: contents)
        } catch { throw BackupError(error) }
    }

    /// The files on this device that a status counts.
    package enum Place: Sendable {
        case nowhere
        case folder(String, FolderFilter, into: LibraryPath?)
        /// The status counts resources of unknown size that were never backed up as waiting, and does not read them.
        case source(any AssetSource)

        /// Opens the files for reading only; blocks.
        func open(user: UserID, stateFolder: String) throws(FileError) -> OpenedFiles? {
            switch self {
            case .nowhere: return nil
            case .folder(let folder, let filter, let destination):
                let root = FolderRoot(path: try LocalFolder.resolve(folder), destination: destination)
                let file = BackupJournal.path(in: stateFolder, user: user, root: root.stateName)
                let journal = BackupJournal.load(file)
                return OpenedFiles(
                    source: FolderFiles(root: root, filter: filter, journal: journal), journal: journal,
                    journalFile: file)
            case .source(let source):
                return OpenedFiles(source, user: user, stateFolder: stateFolder)
            }
        }
    }
}
