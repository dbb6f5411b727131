import Synchronization

/// What a file in the folder means for the catalog, given what was in sync.
final class SyncPlacing: BackupPlacing {
    /// Counted as they are decided.
    struct Counts: Sendable, Equatable {
        var added = 0
        var takenOut = 0
    }

    private let synced: SyncedFiles
    private let state = Mutex(Counts())

    init(_ synced: SyncedFiles) { self.synced = synced }

    var counts: Counts { state.withLock { $0 } }

    /// - Parameter file: with its path in the folder.
    func changes(for file: CatalogEntry, in catalog: Catalog) -> [CatalogChange] {
        let known = synced[file.path]
        if let known, known.md5 == file.md5 {
            // What others did with it since is theirs to say. An entry that a damaged catalog lost comes back.
            return catalog.known(known.entry) == nil ? [add(file.moved(to: known.entryPath), replacing: nil)] : []
        }
        let replaced = known.flatMap { placeTaken(from: $0, by: file, in: catalog) }
        if catalog.shows(file.md5, at: file.path) || catalog.holds(file.path, file.md5) {
            if let replaced, replaced.path == file.path, catalog.holds(replaced), catalog.holds(file.path, file.md5) {
                // By one stamp: who only backs up, and still has the old one, is to see why it went.
                return [.add(file, replacing: replaced.md5)]
            }
            return trash(replaced, in: catalog)
        }
        if let replaced, replaced.path == file.path { return [add(file, replacing: replaced.md5)] }
        var changes = [add(file, replacing: nil)]
        if catalog.index(of: file.path, file.md5) != nil {
            // It is in the trash, and somebody put it here again.
            changes.append(.takeOut(file.path, file.md5))
            state.withLock { $0.takenOut += 1 }
        }
        return changes + trash(replaced, in: catalog)
    }

    /// The entry in whose place the person put another content, if that may be an edit of it. The next photo of a camera
    /// that counts from one again is none, nor is that of another card: both stay.
    private func placeTaken(
        from known: SyncedFile, by file: CatalogEntry, in catalog: Catalog
    ) -> LibraryEntryName? {
        guard known.isSettled, let index = catalog.index(of: known.entry) else { return nil }
        return file.media.mayEdit(catalog.records[index].media) ? known.entry : nil
    }

    /// Such a file leaves the folder. One that somebody put here again is a photo like others.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest, in catalog: Catalog) -> Bool {
        guard let known = synced[path], known.md5 == md5 else { return false }
        return catalog.index(of: known.entry).map { catalog.records[$0].isPurged } ?? false
    }

    private func add(_ entry: CatalogEntry, replacing: ContentDigest?) -> CatalogChange {
        state.withLock { $0.added += 1 }
        return .add(entry, replacing: replacing)
    }

    private func trash(_ entry: LibraryEntryName?, in catalog: Catalog) -> [CatalogChange] {
        guard let entry, catalog.holds(entry) else { return [] }
        return [.trash(entry.path, entry.md5)]
    }
}

extension CatalogEntry {
    func moved(to path: LibraryPath) -> CatalogEntry {
        CatalogEntry(path: path, md5: md5, size: size, modified: modified, type: type, media: media)
    }
}
