import PhotoCatalog

/// The uploads that a migration of selected photos from this device's folders to a library requires.
package struct LibraryMigrationPlan: Sendable {
    package struct Folder: Sendable {
        /// The resolved path of the folder.
        package let folder: String
        /// The selected files, with the files that belong to them.
        package internal(set) var wanted: Set<LibraryPath> = []
        /// The number of those files whose content is not in the library.
        package internal(set) var waitingFiles = 0
    }

    package private(set) var folders: [Folder] = []
    /// All selected files.
    package private(set) var files = 0
    package private(set) var bytes: Int64 = 0
    /// Selected files that were permanently deleted from the library's trash; they are left out.
    package private(set) var deletedFiles = 0
    /// Contents that are not in the library, each counted once.
    package private(set) var waitingContents = 0
    package private(set) var waitingBytes: Int64 = 0
    /// Bytes in the library.
    package let storedBytes: Int64

    /// - Parameters:
    ///   - scans: The results of scanning each folder.
    ///   - selection: The photos to migrate; files that belong to them are added.
    /// - Throws: If the selection has a path that exists in none of the folders.
    package init(
        _ scans: [LocalScan], into catalog: Catalog, selection: PhotoSelection = PhotoSelection()
    ) throws(UnknownPaths) {
        // Contents in the trash are stored, and a migration does not restore them.
        let stored = catalog.contentsWithTrash
        storedBytes = stored.reduce(0) { $0.addingCapped($1.size) }
        var pending: Set<ContentDigest> = []
        let all = scans.map { Catalog(of: $0.photos).entries }
        for (index, chosen) in try CatalogEntries.selected(selection, ofEach: all).enumerated() {
            var folder = Folder(folder: scans[index].folder)
            for photo in chosen.completed(from: all[index]) {
                guard !catalog.isDeleted(photo.path, photo.md5) || stored[photo.md5] != nil else {
                    deletedFiles += 1
                    continue
                }
                folder.wanted.insert(photo.path)
                files += 1
                bytes = bytes.addingCapped(photo.size)
                guard stored[photo.md5] == nil else { continue }
                folder.waitingFiles += 1
                guard pending.insert(photo.md5).inserted else { continue }
                waitingContents += 1
                waitingBytes = waitingBytes.addingCapped(photo.size)
            }
            folders.append(folder)
        }
    }

    /// Files whose content is not in the library.
    package var waitingFiles: Int { folders.reduce(0) { $0 + $1.waitingFiles } }
}
