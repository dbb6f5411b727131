/// What it takes to bring chosen photos of this device's folders to a library.
package struct MigrationPlan: Sendable {
    package struct Folder: Sendable {
        /// The folder's real path.
        package let folder: String
        /// The files that were chosen, with what belongs to them.
        package internal(set) var wanted: Set<LibraryPath> = []
        /// Those of them whose content is not in the library.
        package internal(set) var waitingFiles = 0
    }

    package private(set) var folders: [Folder] = []
    /// All that were chosen.
    package private(set) var files = 0
    package private(set) var bytes: Int64 = 0
    /// Files that were chosen and that were deleted from the library's trash for good; they are left out.
    package private(set) var deletedFiles = 0
    /// Contents that are not in the library, each counted once.
    package private(set) var waitingContents = 0
    package private(set) var waitingBytes: Int64 = 0
    /// Bytes that the library has.
    package let storedBytes: Int64

    /// - Parameters:
    ///   - scans: each folder as it was just scanned.
    ///   - selection: what belongs to a photo that is meant comes with it.
    /// - Throws: when the selection asks for a path at which there is nothing in any of the folders.
    package init(
        _ scans: [LocalScan], into catalog: Catalog, selection: PhotoSelection = PhotoSelection()
    ) throws(UnknownPaths) {
        // What somebody put into the trash is stored, and no migration brings it back.
        let stored = catalog.contentsWithTrash
        storedBytes = stored.reduce(0) { $0.addingCapped($1.size) }
        var waiting: Set<ContentDigest> = []
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
                guard waiting.insert(photo.md5).inserted else { continue }
                waitingContents += 1
                waitingBytes = waitingBytes.addingCapped(photo.size)
            }
            folders.append(folder)
        }
    }

    /// Files whose content is not in the library.
    package var waitingFiles: Int { folders.reduce(0) { $0 + $1.waitingFiles } }
}
