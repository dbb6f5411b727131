import PhotoCatalog

/// The comparison of the folder, the library and the last synced state, which are walked together, sorted by path. Only
/// the differences are kept in memory.
struct SyncPlanner {
    private let catalog: Catalog
    private let local: LocalPhotos
    private let synced: SyncedFiles
    private var plan = SyncPlan()
    /// Entries whose file in the folder is not at the path at which they are shown.
    private var misplaced: Set<EntryIdentity> = []

    static func plan(_ catalog: Catalog, _ local: LocalPhotos, _ synced: SyncedFiles) -> SyncPlan {
        var join = SyncPlanner(catalog: catalog, local: local, synced: synced)
        join.compareAll()
        join.reconcile()
        return join.plan
    }

    private init(catalog: Catalog, local: LocalPhotos, synced: SyncedFiles) {
        (self.catalog, self.local, self.synced) = (catalog, local, synced)
    }

    private mutating func compareAll() {
        let (entries, photos) = (catalog.entries, local.photos)
        var (entryIndex, photoIndex, fileIndex) = (0, 0, 0)
        var entry = entries.first.map { SyncPlan.Arrival(entry: $0, identity: entries.identity(at: 0)) }
        while true {
            let photo = photoIndex < photos.count ? photos[photoIndex] : nil
            if let photo, let entry, entry.entry.path == photo.path, photo.md5 == entry.identity.md5,
                entry.identity.path == photo.path, fileIndex < synced.count,
                synced.isInPlace(photo.path, entry.identity.md5, at: fileIndex)
            {
                // The usual case does not create any text.
                (photoIndex, fileIndex) = (photoIndex + 1, fileIndex + 1)
            } else {
                let file = fileIndex < synced.count ? synced[fileIndex] : nil
                guard let path = [entry?.entry.path, photo?.path, file?.path].compactMap({ $0 }).min() else { return }
                let (photoAtPath, entryAtPath, fileAtPath) = (
                    photo?.path == path ? photo : nil, entry?.entry.path == path ? entry : nil,
                    file?.path == path ? file : nil
                )
                comparePath(path, photo: photoAtPath, shown: entryAtPath, before: fileAtPath)
                if photoAtPath != nil { photoIndex += 1 }
                if fileAtPath != nil { fileIndex += 1 }
                if entryAtPath == nil { continue }
            }
            // Of several entries with the same path, only the first one counts.
            let last = entry?.entry.path
            repeat {
                entryIndex += 1
                entry =
                    entryIndex < entries.count
                    ? SyncPlan.Arrival(entry: entries[entryIndex], identity: entries.identity(at: entryIndex)) : nil
            } while entry != nil && entry?.entry.path == last
        }
    }

    private mutating func comparePath(
        _ path: LibraryPath, photo: LocalPhoto?, shown: SyncPlan.Arrival?, before: SyncedFile?
    ) {
        if let photo {
            comparePhoto(photo, shown, before)
        } else if local.isIgnored(path) {
            // What is ignored now was not removed.
            if before != nil { plan.rows.append(.removed(path)) }
            if shown != nil { plan.ignoredEntries += 1 }
        } else if let before {
            handleMissing(before, shown)
        } else if let shown {
            plan.arrivals.append(shown)
        }
    }

    /// Handles a synced file that no longer exists as a photo.
    private mutating func handleMissing(_ before: SyncedFile, _ shown: SyncPlan.Arrival?) {
        if local.isUncertain(before.path) {
            let wouldGo = before.isInPlace && catalog.holds(before.entry)
            if wouldGo, local.mayHaveUnusableName(before.path) { plan.withheldByNames += 1 }
            return
        }
        if let other = local.leftOut(at: before.path) {
            if SidecarName(before.path.name) != nil { return }
            if before.isInPlace {
                if plan.blocked.last != other { plan.blocked.append(other) }
                return
            }
            // The file was never placed here, so the entry is restored beside the other file.
        }
        let isRemoved = before.isInPlace && catalog.holds(before.entry)
        if isRemoved { plan.removals.append(before) } else { plan.rows.append(.removed(before.path)) }
        if let shown, !isRemoved || shown.identity != before.entry { plan.arrivals.append(shown) }
    }

    private mutating func comparePhoto(_ photo: LocalPhoto, _ shown: SyncPlan.Arrival?, _ before: SyncedFile?) {
        guard let md5 = photo.md5 else { return planPending(photo, shown) }
        if let before, before.md5 == md5, let index = catalog.knownIndex(before.entry) {
            let isAlive = catalog.records[index].isPresent
            if isAlive, shown?.identity == before.entry {
                if !before.isInPlace { recordInSync(photo, md5, as: before.entry) }
            } else if let shown, shown.identity.md5 == md5 {
                recordInSync(photo, md5, as: shown.identity)
            } else if isAlive {
                planMove(photo, before, shown)
            } else if before.entryPath != photo.path, catalog.holds(photo.path, md5) {
                planMove(photo, SyncedFile(path: photo.path, md5: md5, entryPath: photo.path), shown)
            } else {
                planDeparture(photo, before, shown)
            }
        } else if let shown, shown.identity.md5 == md5 {
            recordInSync(photo, md5, as: shown.identity)
        } else if catalog.holds(photo.path, md5) {
            planMove(photo, SyncedFile(path: photo.path, md5: md5, entryPath: photo.path), shown)
        } else {
            planPending(photo, shown)
        }
    }

    private mutating func planPending(_ photo: LocalPhoto, _ shown: SyncPlan.Arrival?) {
        plan.pending.append(photo.path)
        // A file that is still being written may be the entry's: the next sync tells.
        if shown != nil, photo.md5 != nil { plan.obstructedEntries += 1 }
    }

    private mutating func recordInSync(_ photo: LocalPhoto, _ md5: ContentDigest, as entry: EntryIdentity) {
        plan.rows.append(.inSync(SyncedFile(path: photo.path, md5: md5, entryPath: entry.path)))
    }

    private mutating func planDeparture(_ photo: LocalPhoto, _ synced: SyncedFile, _ shown: SyncPlan.Arrival?) {
        plan.departures.append(.init(photo: photo, synced: synced, isReplaced: shown != nil))
        if let shown { plan.arrivals.append(shown) }
    }

    /// Moves a file whose entry is shown at another path.
    private mutating func planMove(_ photo: LocalPhoto, _ synced: SyncedFile, _ shown: SyncPlan.Arrival?) {
        guard let index = catalog.index(of: synced.entry) else { return }
        let target = catalog.shownPath(of: index)
        let hasCopy = local[target]?.md5 == synced.md5 || !misplaced.insert(synced.entry).inserted
        // This is the second file of one entry. At the entry's own path, another content has the name by now, and this
        // content is shown beside it; at any other path, the file becomes a new photo in the next sync.
        if hasCopy, synced.entryPath != photo.path {
            plan.rows.append(.removed(photo.path))
            plan.pending.append(photo.path)
            return
        }
        planDeparture(photo, synced, shown)
        if !hasCopy {
            plan.arrivals.append(.init(entry: catalog.entry(at: index, shownAs: target), identity: synced.entry))
        }
    }

    private mutating func reconcile() {
        reconcileArrivals()
        let catalog = catalog
        var rows: [SyncRow] = []
        plan.removals.removeAll { removal in
            // The file is at the entry's shown path: it was moved there, and the record of that was lost.
            let shown = catalog.index(of: removal.entry).map { catalog.shownPath(of: $0) }
            let isElsewhere = shown.map { $0 != removal.path && local[$0]?.md5 == removal.md5 } ?? false
            guard isElsewhere || misplaced.contains(removal.entry) else { return false }
            rows.append(.removed(removal.path))
            return true
        }
        plan.rows += rows
    }

    /// What is found at its own place and what is brought there by a move are one arrival. Where something stays that is
    /// not known to the library yet, nothing comes, nor below it; and what has no place to go to stays where it is.
    private mutating func reconcileArrivals() {
        guard !plan.arrivals.isEmpty else { return }
        let pending = Set(plan.pending)
        var seen: Set<EntryIdentity> = []
        plan.arrivals.removeAll {
            !misplaced.isEmpty && misplaced.contains($0.identity) && !seen.insert($0.identity).inserted
        }
        guard !pending.isEmpty else { return }
        let blocked = Set(plan.arrivals.filter { isBlocked($0, by: pending) }.map(\.identity))
        plan.arrivals.removeAll { blocked.contains($0.identity) }
        plan.obstructedEntries += blocked.count
        plan.departures.removeAll { blocked.contains($0.synced.entry) }
    }

    /// Whether a file that stays is in the place of an arrival or of a folder on its way, or may be the arrival itself: one
    /// of unknown content, at the path that the entry has in the library and is not shown at.
    private func isBlocked(_ arrival: SyncPlan.Arrival, by pending: Set<LibraryPath>) -> Bool {
        if arrival.entry.path.isAtOrBelow(pending) { return true }
        guard arrival.identity.path != arrival.entry.path, let photo = local[arrival.identity.path] else {
            return false
        }
        return photo.md5 == nil
    }
}
