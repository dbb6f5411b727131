import ObjectStorage
import PhotolalaAPI

/// What is on this device and what is in the store, counted.
package struct LibraryStatus: Sendable, Equatable {
    /// Entries of the catalog, and the bytes of their contents, each counted once.
    package var storedFiles = 0
    package var storedBytes: Int64 = 0
    /// Photos and videos in the folder.
    package var localFiles = 0
    package var localBytes: Int64 = 0
    /// Those of them whose content is in the catalog.
    package var backedUpFiles = 0
    /// Those whose content is not.
    package var waitingFiles = 0
    /// Entries whose content was not seen in the folder.
    package var onlyStoredFiles = 0
    /// What could not be looked at; such photos are counted neither as backed up nor as waiting.
    package var problems: [ScanProblem] = []

    init(catalog: Catalog) {
        storedFiles = catalog.count
        storedBytes = catalog.contents.values.reduce(0) { sum, size in
            let (total, overflow) = sum.addingReportingOverflow(size)
            return overflow ? .max : total
        }
        onlyStoredFiles = catalog.count
    }

    init(catalog: Catalog, scan: ScanResult, contents: LocalContents) {
        self.init(catalog: catalog)
        let stored = catalog.contents
        localFiles = scan.files.count
        localBytes = scan.bytes
        problems = scan.problems + contents.problems
        let seen = scan.files.compactMap { contents.digests[$0.path] }.filter { stored[$0] != nil }
        backedUpFiles = seen.count
        waitingFiles = localFiles - backedUpFiles - contents.problems.count
        let different = Set(seen)
        onlyStoredFiles = catalog.entries.count { !different.contains($0.md5) }
    }

    /// Reads the catalog and walks the folder, if there is one. Of the photos only those are read that this device does
    /// not remember and that are as long as one in the catalog: the others cannot be in it.
    /// - Parameter report: called after each file that was read.
    package static func read(
        store: any ObjectStore, user: UserID, folder: String?, stateFolder: String, pause: Backoff,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws(BackupError) -> LibraryStatus {
        let catalog: Catalog
        do {
            catalog = try await CatalogStore(store: store, user: user, pause: pause).load().catalog
        } catch { throw .catalog(error) }
        guard let folder else { return LibraryStatus(catalog: catalog) }
        do {
            let (root, journal) = try await FileWork.run { () throws(FileError) in
                let root = try LocalFolder.resolve(folder)
                return (root, BackupJournal.load(BackupJournal.path(in: stateFolder, user: user, root: root)))
            }
            let scan = try await FolderScan(root: root) { journal.unchanged($0, $1)?.type }.run()
            let sizes = Set(catalog.contents.values)
            let contents = try await LocalContents.read(scan.files, root: root, journal: journal, report: report) {
                sizes.contains($0)
            }
            return LibraryStatus(catalog: catalog, scan: scan, contents: contents)
        } catch { throw error == .cancelled ? .cancelled : .folder(error) }
    }
}
