import PhotoCatalog
import Synchronization

/// The mapping of a file in the folder to catalog changes, based on the last synced state.
final class SyncChangeMapping: CatalogChangeMapping {
    /// The number of changes decided so far.
    struct Counts: Sendable, Equatable {
        var added = 0
        var restored = 0
    }

    private let synced: SyncedFiles
    private let local: LocalPhotos
    private let state = Mutex(Counts())

    /// - Parameters:
    ///   - synced: The last synced state.
    ///   - local: The files in the folder, as they were scanned.
    init(_ synced: SyncedFiles, _ local: LocalPhotos) { (self.synced, self.local) = (synced, local) }

    var counts: Counts { state.withLock { $0 } }

    /// - Parameter file: The file, with its path in the folder.
    func changes(for file: CatalogEntry, in catalog: Catalog) -> [CatalogChange] {
        let known = synced[file.path]
        if let known, known.md5 == file.md5 {
            // The file is unchanged, so changes of its entry by other devices are kept. An entry lost in a damaged
            // catalog is added again.
            return catalog.knownIndex(known.entry) == nil ? [add(file.moved(to: known.entryPath), replacing: nil)] : []
        }
        let replaced = known.flatMap { replacedEntry(from: $0, by: file, in: catalog) }
        if catalog.shows(file.md5, at: file.path) || catalog.holds(file.path, file.md5) {
            if let replaced, replaced.path == file.path, catalog.holds(replaced), catalog.holds(file.path, file.md5) {
                // Both changes share one timestamp, so that a device that only backs up, and still has the old content,
                // can tell that it was replaced.
                return [.add(file, replacing: replaced.md5)]
            }
            return trash(replaced, in: catalog)
        }
        if let replaced, replaced.path == file.path { return [add(file, replacing: replaced.md5)] }
        var changes = [add(file, replacing: nil)]
        if let index = catalog.index(of: file.path, file.md5) {
            // The content is in the trash or was permanently deleted, and the user added the file again.
            changes.append(.restoreFromTrash(file.path, file.md5))
            if !catalog.records[index].isPurged { state.withLock { $0.restored += 1 } }
        }
        return changes + trash(replaced, in: catalog)
    }

    /// Returns the entry that a file replaces, if the file may be an edit of it. A photo whose name a camera or another
    /// card reused is not an edit: both are kept.
    private func replacedEntry(
        from known: SyncedFile, by file: CatalogEntry, in catalog: Catalog
    ) -> EntryIdentity? {
        guard known.isInPlace, let index = catalog.index(of: known.entry),
            known.entryPath == file.path || !mayBeMoved(known.entry, size: catalog.records[index].size)
        else { return nil }
        return file.media.mayBeEditOf(catalog.records[index].media) ? known.entry : nil
    }

    /// Returns whether the content of a file that was shown beside others may be at the entry's own path now. It is in the
    /// library by the same entry then, which another photo under the file's former name must not move to the trash.
    private func mayBeMoved(_ entry: EntryIdentity, size: Int64) -> Bool {
        guard let photo = local[entry.path] else { return false }
        return photo.md5.map { $0 == entry.md5 } ?? (photo.file.fingerprint.size == size)
    }

    /// Returns whether the entry of an unchanged file was permanently deleted, so that the file is removed from the
    /// folder. A file that the user added again is treated like any other.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest, in catalog: Catalog) -> Bool {
        guard let known = synced[path], known.md5 == md5 else { return false }
        return catalog.index(of: known.entry).map { catalog.records[$0].isPurged } ?? false
    }

    private func add(_ entry: CatalogEntry, replacing: ContentDigest?) -> CatalogChange {
        state.withLock { $0.added += 1 }
        return .add(entry, replacing: replacing)
    }

    private func trash(_ entry: EntryIdentity?, in catalog: Catalog) -> [CatalogChange] {
        guard let entry, catalog.holds(entry) else { return [] }
        return [.trash(entry.path, entry.md5)]
    }
}

extension CatalogEntry {
    func moved(to path: LibraryPath) -> CatalogEntry {
        CatalogEntry(path: path, md5: md5, size: size, modified: modified, type: type, media: media)
    }
}
