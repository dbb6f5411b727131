import Foundation
import ObjectStorage
import PhotoCatalog

/// A running sync.
struct SyncRun {
    let sync: Sync
    let opened: OpenedFolder
    let folder: FolderHandle
    var syncState: SyncState
    private var marker: FolderMarker?
    let report: @Sendable (SyncEvent) -> Void
    /// The content of the folder, with files that are being written listed separately.
    let content: FolderContent
    var local: LocalPhotos
    var summary = SyncSummary()
    /// The time at which listing the folder began.
    let start: Date

    init(
        sync: Sync, locked: LockedFolder, content: FolderContent, since start: Date,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.sync = sync
        (opened, folder, syncState, marker) = (locked.opened, locked.folder, locked.syncState, locked.marker)
        self.report = report
        self.start = start
        let journal = opened.journal
        var content = content
        // A file that was just changed may be incomplete. Files in the journal were at rest when they were read.
        let isUnfinished = { (file: ScannedFile) in
            file.fingerprint.isRecent(at: start) && journal.unchanged(file.path, file.fingerprint) == nil
        }
        content.unfinished = content.files.filter(isUnfinished)
        if !content.unfinished.isEmpty { content.files.removeAll(where: isUnfinished) }
        self.content = content
        local = LocalPhotos(content, opened.scan.ignores) { journal.unchanged($0.path, $0.fingerprint)?.md5 }
    }

    /// Releases all locks of the folder.
    func release() {
        marker?.release()
        syncState.close()
    }

    /// Syncs the scanned folder in stages: uploads and commits its new files, plans the remaining work, commits the
    /// removals, and updates the folder. A sync without changes ends after one read of the catalog's head.
    mutating func run() async throws(SyncError) -> SyncSummary {
        let head: CatalogHead
        do { head = try await sync.backup.catalogs.head() } catch { throw .catalog(error) }
        summary.localFiles = local.photos.count
        if isUnchanged(head) { return unchangedSummary }
        guard try await isRightFolder() else { return summary }
        var version: CatalogStore.Version
        do { version = try await sync.backup.catalogs.load(head) } catch { throw .catalog(error) }
        if sync.settings.isDryRun {
            var prediction = SyncPrediction(self)
            return try await prediction.predict(version.catalog)
        }
        try await confirmDownload(version.catalog)
        try await markFolder()
        let seen = version.catalog.highestCounter
        if sync.settings.directions == .toFolder {
            try await readNewFiles(version.catalog)
        } else {
            version = try await uploadNewFiles(version)
        }
        guard summary.ending == .completed else { return summary }
        let arrived = local.arrivals(since: syncState.files)
        var plan = try await plan(version.catalog)
        let removals = sync.settings.directions == .toFolder ? [] : plan.removals
        if let committed = await commitRemovals(removals, arrived: arrived, since: seen, version) {
            version = committed
            summary.toLibrary.conflicts = version.catalog.remaining(of: summary.toLibrary.conflicts)
            plan = try await self.plan(version.catalog)
        }
        guard summary.ending == .completed else { return summary }
        summary.blocked = plan.blocked
        if sync.settings.directions != .toLibrary { await updateFolder(plan) }
        summary.libraryEntries = version.catalog.count
        if summary.isEqual, let snapshot = version.head.snapshot, version.head.pointer != nil {
            try await apply([.equal(snapshot)])
        }
        return summary
    }

    /// Returns whether everything was equal with this snapshot, and nothing in the folder has changed since.
    private func isUnchanged(_ head: CatalogHead) -> Bool {
        guard syncState.equal != nil, syncState.equal == head.snapshot, head.pointer != nil, content.problems.isEmpty,
            content.unfinished.isEmpty, opened.journal.checkedDay == sync.backup.today,
            marker?.text == syncState.markerText
        else { return false }
        var index = 0
        for photo in local.photos {
            while index < syncState.files.count, syncState.files[index].path < photo.path {
                guard isDeferredSidecar(syncState.files[index].path) else { return false }
                index += 1
            }
            guard index < syncState.files.count, syncState.files.isPath(photo.path, at: index),
                syncState.files[index].md5 == photo.md5
            else { return false }
            index += 1
        }
        return (index..<syncState.files.count).allSatisfy { isDeferredSidecar(syncState.files[$0].path) }
    }

    /// Returns whether a path has a sidecar whose photo is no longer beside it.
    private func isDeferredSidecar(_ path: LibraryPath) -> Bool {
        SidecarName(path.name) != nil && local.leftOut(at: path) != nil
    }

    private var unchangedSummary: SyncSummary {
        var summary = summary
        summary.toLibrary.leftOut = content.leftOut
        summary.toLibrary.clashes = content.clashes
        summary.toLibrary.progress.totalFiles = local.photos.count
        summary.toLibrary.sort()
        return summary
    }

    /// Returns whether the folder may be synced with the recorded state: it is not empty and not known to be another
    /// folder, or the settings override the check. If an empty or another folder lacks recorded files, nothing is done,
    /// because the changes would be recorded for the wrong folder. If another folder has all recorded names, it is
    /// unknown whether these are the same photos: the recorded state is discarded, so that the sync only adds files.
    private mutating func isRightFolder() async throws(SyncError) -> Bool {
        let isAnother = syncState.markerText != nil && syncState.markerText != marker?.text
        guard isAnother || local.photos.isEmpty, !sync.settings.trashesAllMissing else { return true }
        let local = local
        // In another folder, files that were only announced count, too, and so do those that are ignored now.
        let missing = syncState.files.lazy.count {
            (isAnother || $0.isInPlace && !local.isIgnored($0.path)) && local[$0.path] == nil
                && local.leftOut(at: $0.path) == nil
        }
        if missing > 0 {
            (summary.isAnotherFolder, summary.withheldEntries) = (isAnother, missing)
            return false
        }
        if isAnother { try await clearState() }
        return true
    }

    private mutating func clearState() async throws(SyncError) {
        var forgotten = syncState
        forgotten.clear()
        guard !sync.settings.isDryRun else { return syncState = forgotten }
        let empty = forgotten
        syncState = try await sync.state(at: empty.path) { () throws(FileError) in
            var state = empty
            try state.rewrite()
            return state
        }
    }

    /// Records this folder as the synced one, and creates its marker if necessary.
    private mutating func markFolder() async throws(SyncError) {
        if marker == nil {
            let (folder, randomness, flush) = (folder, sync.randomness, sync.flush)
            do throws(FileError) {
                marker = try await FileWork.run { () throws(FileError) in
                    let marker = try FolderMarker.make(in: folder, randomness)
                    try flush(folder)
                    return marker
                }
            } catch {
                switch error {
                case .exists: throw .underWay
                default: throw SyncError(folder: error)
                }
            }
        }
        if let marker, marker.text != syncState.markerText { try await apply([.folder(marker.text)]) }
    }

    /// Uploads the new files of the folder, like a backup.
    private mutating func uploadNewFiles(
        _ version: CatalogStore.Version
    ) async throws(SyncError) -> CatalogStore.Version {
        let (report, mapping) = (report, SyncChangeMapping(syncState.files, local))
        let result: (summary: BackupSummary, version: CatalogStore.Version?)
        do {
            result = try await sync.backup.backUp(
                opened.files, rootContent: content, since: start, version: version,
                mapping: mapping, report: { report(.toLibrary($0)) }
            )
        } catch { throw SyncError(error) }
        (summary.toLibrary, summary.ending) = (result.summary, result.summary.ending)
        (summary.addedEntries, summary.restoredEntries) = (mapping.counts.added, mapping.counts.restored)
        let journal = opened.journal
        local = LocalPhotos(content, opened.scan.ignores) { journal.unchanged($0.path, $0.fingerprint)?.md5 }
        return result.version ?? version
    }

    /// Determines the remaining work, and records what is equal after flushing it to disk. A removable disk may be
    /// disconnected while this device continues; files never written to it would seem to be removed.
    private mutating func plan(_ catalog: Catalog) async throws(SyncError) -> SyncPlan {
        var plan = SyncPlanner.plan(catalog, local, syncState.files)
        (plan.removals, summary.withheldByNames) = SyncLosses(self, local: local).confirmedRemovals(of: plan, catalog)
        if plan.rows.contains(where: \.isInSync) {
            let (folder, flush) = (folder, sync.flush)
            try await sync.files { () throws(FileError) in try flush(folder) }
        }
        try await apply(plan.rows)
        summary.recordRemaining(plan, sync.settings.directions, content)
        return plan
    }

    /// Moves entries whose files were removed from the folder to the library's trash.
    /// - Parameters:
    ///   - arrived: The new files of the folder, to which removed ones may have been moved.
    ///   - seen: The largest counter before this sync added entries.
    /// - Returns: The catalog afterwards; `nil` if nothing was done.
    private mutating func commitRemovals(
        _ removals: [SyncedFile], arrived: [ContentDigest: Int], since seen: UInt64, _ version: CatalogStore.Version
    ) async -> CatalogStore.Version? {
        let losses = SyncLosses(self, local: local)
        let remaining = losses.remainingContents(of: removals)
        let (wanted, withheld) = losses.allowedRemovals(of: removals, remaining)
        summary.withheldEntries = withheld
        guard !wanted.isEmpty, !Task.isCancelled else {
            if Task.isCancelled { summary.ending = .cancelled }
            return nil
        }
        do throws(CatalogError) {
            let changes = wanted.map { CatalogChange.trash($0.entryPath, $0.md5) }
            let (moved, unmoved) = SyncLosses.divide(wanted, arrived: arrived)
            let renamed = losses.newEntries(of: moved, by: sync.backup.device, since: seen, in: version.catalog)
            let committed = try await sync.backup.catalogs.commit(
                changes, onto: version, recordedAs: .sync, renamed: renamed
            ).result.version
            let lost = wanted.count { !remaining.contains($0.md5) }
            let count = sync.settings.trashesAllMissing ? nil : lost
            // If this fails, the next sync finds the entries in the trash.
            try? await apply(wanted.map { .removed($0.path) } + syncState.removalRows(count, on: sync.backup.today))
            summary.trashedEntries += unmoved.map(\.path)
            summary.renamedEntries += renamed.count
            return committed
        } catch {
            summary.ending = .stopped(.catalog(error))
            return nil
        }
    }

    /// Makes the folder equal to the library, except for departures that are too many.
    private mutating func updateFolder(_ plan: SyncPlan) async {
        let allowed = SyncLosses(self, local: local).withholdDepartures(of: plan)
        summary.withheldFiles = allowed.withheld
        var update = FolderUpdate(self)
        await update.run(allowed.plan)
        summary = update.summary
    }

    mutating func apply(_ rows: [SyncRow]) async throws(SyncError) {
        guard !rows.isEmpty else { return }
        let before = syncState
        syncState = try await sync.state(at: before.path) { () throws(FileError) in
            var state = before
            try state.apply(rows)
            return state
        }
    }
}
