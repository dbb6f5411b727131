import PhotoCatalog

/// Determines what a sync would do, without changing anything.
struct SyncPrediction {
    private let run: SyncRun
    private var local: LocalPhotos
    private var summary: SyncSummary

    init(_ run: SyncRun) { (self.run, local, summary) = (run, run.local, run.summary) }

    /// Returns the expected results of the sync.
    mutating func predict(_ catalog: Catalog) async throws(SyncError) -> SyncSummary {
        let changes = try await readFolder(catalog)
        let contents = catalog.contentsWithTrash
        for case .add(let entry, _) in changes {
            let isNew = contents[entry.md5] == nil
            summary.planned.append(PlannedChange(action: isNew ? .upload : .add, path: entry.path, size: entry.size))
            guard isNew else { continue }
            summary.toLibrary.progress.uploadedFiles += 1
            summary.toLibrary.progress.uploadedBytes += entry.size
        }
        var (predicted, synced) = (catalog.joined(changes), run.syncState.files)
        let plan = SyncPlanner.plan(predicted, local, synced)
        let losses = SyncLosses(run, local: local)
        let removals: [SyncedFile]
        (removals, summary.withheldByNames) = losses.confirmedRemovals(of: plan, predicted)
        let remaining = losses.remainingContents(of: removals)
        let wanted: [SyncedFile]
        (wanted, summary.withheldEntries) = losses.allowedRemovals(of: removals, remaining)
        summary.trashedEntries = wanted.filter { !remaining.contains($0.md5) }.map(\.path)
        summary.planned += summary.trashedEntries.map { PlannedChange(action: .trashInLibrary, path: $0, size: nil) }
        predicted = predicted.joined(wanted.map { .trash($0.entryPath, $0.md5) })
        synced.apply(plan.rows + wanted.map { .removed($0.path) })
        let allowed = losses.withholdDepartures(of: SyncPlanner.plan(predicted, local, synced))
        summary.withheldFiles = allowed.withheld
        applyPrediction(allowed.plan)
        summary.libraryEntries = predicted.count
        return summary
    }

    /// Reads files that are not in the journal.
    private mutating func readFolder(_ catalog: Catalog) async throws(SyncError) -> [CatalogChange] {
        let (found, journal) = (run.content, run.opened.journal)
        let contents: LocalContents
        do {
            contents = try await LocalContents.read(
                found.files, from: run.opened.files.source, journal: journal, report: { _ in }, matters: { _ in true })
        } catch { throw error == .cancelled ? .cancelled : .folder(error) }
        local = LocalPhotos(found, run.opened.scan.ignores) { contents.digests[$0.path] }
        summary.toLibrary.problems = found.problems + contents.problems
        (summary.toLibrary.leftOut, summary.toLibrary.clashes) = (found.leftOut, found.clashes)
        summary.toLibrary.progress.totalFiles = found.files.count
        summary.toLibrary.sort()
        let mapping = SyncChangeMapping(run.syncState.files)
        let changes = local.photos.flatMap { photo -> [CatalogChange] in
            guard let md5 = photo.md5 else { return [] }
            let fingerprint = photo.file.fingerprint
            let facts = journal.unchanged(photo.path, fingerprint)?.facts ?? MediaFacts()
            return mapping.changes(
                for: CatalogEntry(
                    path: photo.path, md5: md5, size: fingerprint.size, modified: fingerprint.modified,
                    type: photo.file.type, media: facts), in: catalog)
        }
        (summary.addedEntries, summary.restoredEntries) = (mapping.counts.added, mapping.counts.restored)
        return changes
    }

    private mutating func applyPrediction(_ plan: SyncPlan) {
        (summary.blocked, summary.waitingFiles) = (plan.blocked, plan.pending.count)
        summary.ignoredEntries = plan.ignoredEntries
        var leaving = plan.departures.reduce(into: [ContentDigest: Int]()) { $0[$1.synced.md5, default: 0] += 1 }
        for arrival in plan.arrivals {
            if let count = leaving[arrival.identity.md5], count > 0 {
                leaving[arrival.identity.md5] = count - 1
                summary.movedFiles += 1
                summary.planned.append(arrival.change(.move))
            } else {
                summary.toFolder.progress.restoredFiles += 1
                summary.planned.append(arrival.change(.download))
                summary.toFolder.progress.restoredBytes = summary.toFolder.progress.restoredBytes
                    .addingCapped(arrival.entry.size)
            }
        }
        for departure in plan.departures {
            guard let count = leaving[departure.synced.md5], count > 0 else { continue }
            leaving[departure.synced.md5] = count - 1
            summary.trashedFiles.append(departure.photo.path)
            summary.planned.append(PlannedChange(action: .trashHere, path: departure.photo.path, size: nil))
        }
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
