import PhotoCatalog

/// Determines what a sync would do, without changing anything.
struct SyncPrediction {
    private var run: SyncRun
    private var local: LocalPhotos
    private var summary: SyncSummary

    init(_ run: SyncRun) { (self.run, local, summary) = (run, run.local, run.summary) }

    /// Returns the expected results of the sync.
    mutating func predict(_ catalog: Catalog) async throws(SyncError) -> SyncSummary {
        let facts = try await run.readFolder(records: false) { _ in true }
        (local, summary) = (run.local, run.summary)
        let changes = additions(to: catalog, facts)
        let contents = catalog.contentsWithTrash
        var uploaded: Set<ContentDigest> = []
        var added: [CatalogEntry] = []
        for case .add(let entry, _) in changes {
            guard contents[entry.md5] == nil, uploaded.insert(entry.md5).inserted else {
                added.append(entry)
                continue
            }
            summary.planned.append(PlannedChange(action: .upload, path: entry.path, size: entry.size))
            summary.toLibrary.progress.uploadedFiles += 1
            summary.toLibrary.progress.uploadedBytes += entry.size
        }
        var (predicted, synced) = (catalog.joined(changes), run.syncState.files)
        let conflicts = predicted.conflicts(made: changes, since: catalog)
        let plan = SyncPlanner.plan(predicted, local, synced)
        let losses = SyncLosses(run, local: local)
        let removals: [SyncedFile]
        (removals, summary.withheldByNames) = losses.confirmedRemovals(of: plan, predicted)
        let directions = run.sync.settings.directions
        let remaining = losses.remainingContents(of: removals)
        let wanted: [SyncedFile]
        (wanted, summary.withheldEntries) = losses.allowedRemovals(
            of: directions == .toFolder ? [] : removals, remaining)
        let (moved, unmoved) = SyncLosses.divide(wanted, arrived: local.arrivals(since: synced))
        summary.trashedEntries = unmoved.map(\.path)
        planAdditions(added, moved)
        summary.planned += summary.trashedEntries.map { PlannedChange(action: .trashInLibrary, path: $0, size: nil) }
        predicted = predicted.joined(wanted.map { .trash($0.entryPath, $0.md5) })
        summary.toLibrary.conflicts = predicted.remaining(of: conflicts)
        synced.apply(plan.rows + wanted.map { .removed($0.path) })
        var rest = SyncPlanner.plan(predicted, local, synced)
        rest.removals = directions == .toFolder ? removals : []
        summary.recordRemaining(rest, directions, run.content)
        summary.blocked = rest.blocked
        if directions != .toLibrary {
            let allowed = losses.withholdDepartures(of: rest)
            summary.withheldFiles = allowed.withheld
            applyPrediction(allowed.plan)
        }
        summary.libraryEntries = predicted.count
        return summary
    }

    /// Plans the entries that are added for stored contents; `moved` are the files that they replace at other paths.
    private mutating func planAdditions(_ added: [CatalogEntry], _ moved: [SyncedFile]) {
        var missing = moved.reduce(into: [:]) { $0[$1.md5, default: 0] += 1 }
        for entry in added {
            let isMove = missing[entry.md5, default: 0] > 0
            if isMove {
                missing[entry.md5, default: 0] -= 1
                summary.renamedEntries += 1
            }
            summary.planned.append(
                PlannedChange(action: isMove ? .moveInLibrary : .add, path: entry.path, size: entry.size))
        }
    }

    /// Returns the changes that the files of the folder make in the library.
    /// - Parameter read: The facts of changed files, which the journal does not have.
    private mutating func additions(
        to catalog: Catalog, _ read: [LibraryPath: MediaFacts]
    ) -> [CatalogChange] {
        guard run.sync.settings.directions != .toFolder else { return [] }
        let journal = run.opened.journal
        let mapping = SyncChangeMapping(run.syncState.files, local)
        let changes = local.photos.flatMap { photo -> [CatalogChange] in
            guard let md5 = photo.md5 else { return [] }
            let fingerprint = photo.file.fingerprint
            let facts = journal.unchanged(photo.path, fingerprint)?.facts ?? read[photo.path] ?? MediaFacts()
            return mapping.changes(
                for: CatalogEntry(
                    path: photo.path, md5: md5, size: fingerprint.size, modified: fingerprint.modified,
                    type: photo.file.type, media: facts), in: catalog)
        }
        (summary.addedEntries, summary.restoredEntries) = (mapping.counts.added, mapping.counts.restored)
        return changes
    }

    private mutating func applyPrediction(_ plan: SyncPlan) {
        let (moves, downloads, losses) = plan.transfers
        let download = SyncDownload(downloads)
        summary.movedFiles = moves.count
        summary.toFolder.progress.restoredFiles = download.files
        summary.toFolder.progress.restoredBytes = download.bytes
        summary.trashedFiles = losses.map(\.photo.path)
        summary.planned += moves.map { $0.change(.move) } + downloads.map { $0.change(.download) }
        summary.planned += summary.trashedFiles.map { PlannedChange(action: .trashHere, path: $0, size: nil) }
    }
}

extension SyncPlan.Arrival {
    fileprivate func change(_ action: PlannedChange.Action) -> PlannedChange {
        PlannedChange(action: action, path: entry.path, size: entry.size)
    }
}

extension Catalog {
    /// Returns the catalog with changes that are not committed.
    fileprivate func joined(_ changes: [CatalogChange]) -> Catalog {
        var joined = self
        joined.join(Catalog(changes, after: highestCounter, by: .none, trashed: 1))
        return joined
    }
}
