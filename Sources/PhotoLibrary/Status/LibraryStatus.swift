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
    /// Those that are new or were touched since the last backup.
    package var waitingFiles = 0
    /// Entries whose content was not seen in the folder.
    package var onlyStoredFiles = 0
    package var problems: [ScanProblem] = []

    init(catalog: Catalog, scan: ScanResult, journal: BackupJournal) {
        let contents = catalog.contents
        storedFiles = catalog.count
        storedBytes = contents.values.reduce(0) { sum, size in
            let (total, overflow) = sum.addingReportingOverflow(size)
            return overflow ? .max : total
        }
        localFiles = scan.files.count
        localBytes = scan.bytes
        problems = scan.problems
        var seen: Set<ContentDigest> = []
        for file in scan.files {
            guard let md5 = journal.unchanged(file.path, file.stamp)?.md5, contents[md5] != nil else {
                waitingFiles += 1
                continue
            }
            backedUpFiles += 1
            seen.insert(md5)
        }
        onlyStoredFiles = catalog.entries.count { !seen.contains($0.md5) }
    }

    /// Reads the catalog and walks the folder, if there is one; no photo is read.
    package static func read(
        store: any ObjectStore, user: UserID, folder: String?, stateFolder: String, pause: Backoff
    ) async throws(BackupError) -> LibraryStatus {
        let catalog: Catalog
        do {
            catalog = try await CatalogStore(store: store, user: user, pause: pause).load().catalog
        } catch { throw .catalog(error) }
        guard let folder else { return LibraryStatus(catalog: catalog, scan: ScanResult(), journal: BackupJournal()) }
        do {
            let (root, journal) = try await FileWork.run { () throws(FileError) in
                let root = try LocalFolder.resolve(folder)
                return (root, BackupJournal.load(BackupJournal.path(in: stateFolder, user: user, root: root)))
            }
            let scan = try await FolderScan(root: root) { journal.unchanged($0, $1)?.type }.run()
            return LibraryStatus(catalog: catalog, scan: scan, journal: journal)
        } catch { throw error == .cancelled ? .cancelled : .folder(error) }
    }
}
