import Foundation
import ObjectStorage

/// One sync under way.
struct SyncRun {
    let sync: Sync
    let opened: OpenedFolder
    let folder: FolderHandle
    var memory: SyncMemory
    private var mark: FolderMark?
    let report: @Sendable (SyncEvent) -> Void
    /// What the folder was found to hold; what is being written stands apart.
    let content: FolderContent
    /// When it was begun to look into the folder.
    private let start: Date
    var local: LocalPhotos
    var summary = SyncSummary()

    init(
        sync: Sync, held: HeldFolder, content: FolderContent, since start: Date,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.sync = sync
        (opened, folder, memory, mark) = (held.opened, held.folder, held.memory, held.mark)
        self.report = report
        self.start = start
        let journal = opened.journal
        var content = content
        // What was changed just now may be half written. What is remembered was at rest when it was read.
        let isUnfinished = { (file: ScannedFile) in
            file.stamp.isYoung(at: start) && journal.unchanged(file.path, file.stamp) == nil
        }
        content.unfinished = content.files.filter(isUnfinished)
        if !content.unfinished.isEmpty { content.files.removeAll(where: isUnfinished) }
        self.content = content
        local = LocalPhotos(content) { journal.unchanged($0.path, $0.stamp)?.md5 }
    }

    /// Lets others sync the folder.
    func release() {
        mark?.release()
        memory.close()
    }

    mutating func run() async throws(SyncError) -> SyncSummary {
        let head: CatalogHead
        do { head = try await sync.backup.catalogs.head() } catch { throw .catalog(error) }
        summary.localFiles = local.photos.count
        if isQuiet(head) { return quietSummary }
        guard try await isRightFolder() else { return summary }
        var version: CatalogStore.Version
        do { version = try await sync.backup.catalogs.load(head) } catch { throw .catalog(error) }
        if sync.settings.isDryRun { return try await predict(version.catalog) }
        try await markFolder()
        version = try await bringToLibrary(version)
        guard summary.ending == .completed else { return summary }
        var plan = try await plan(version.catalog)
        if let committed = await trashRemovals(plan.removals, version) {
            version = committed
            summary.toLibrary.conflicts = version.catalog.remaining(of: summary.toLibrary.conflicts)
            plan = try await self.plan(version.catalog)
        }
        guard summary.ending == .completed else { return summary }
        summary.blocked = plan.blocked
        await bringToFolder(hold(plan))
        summary.libraryEntries = version.catalog.count
        if summary.isEqual, let snapshot = version.head.snapshot, version.head.pointer != nil {
            try await learn([.equal(snapshot)])
        }
        return summary
    }

    /// Whether all was equal with this snapshot, and nothing in the folder changed since.
    private func isQuiet(_ head: CatalogHead) -> Bool {
        guard memory.equal != nil, memory.equal == head.snapshot, head.pointer != nil, content.problems.isEmpty,
            content.unfinished.isEmpty, opened.journal.checkedDay == sync.backup.today,
            mark?.text == memory.mark
        else { return false }
        var known = 0
        for photo in local.photos {
            while known < memory.files.count, memory.files[known].path < photo.path {
                guard isSetAside(memory.files[known].path) else { return false }
                known += 1
            }
            guard known < memory.files.count, memory.files.isPath(photo.path, at: known),
                memory.files[known].md5 == photo.md5
            else { return false }
            known += 1
        }
        return (known..<memory.files.count).allSatisfy { isSetAside(memory.files[$0].path) }
    }

    /// Whether a sidecar stands there, whose photo is not beside it any more.
    private func isSetAside(_ path: LibraryPath) -> Bool {
        SidecarName(path.name) != nil && local.leftOut(at: path) != nil
    }

    private var quietSummary: SyncSummary {
        var summary = summary
        summary.toLibrary.leftOut = content.leftOut
        summary.toLibrary.clashes = content.clashes
        summary.toLibrary.progress.totalFiles = local.photos.count
        summary.toLibrary.sort()
        return summary
    }

    /// Whether it may be synced with what is remembered: it is not empty and has its mark, or the person says so. In
    /// another one that lacks something nothing is done, for what was done there would be remembered of this one. In
    /// another one that has all the names nobody knows whether those are the same photos: what was remembered counts no
    /// longer, so that the sync only adds.
    private mutating func isRightFolder() async throws(SyncError) -> Bool {
        let isAnother = memory.mark != nil && memory.mark != mark?.text
        guard isAnother || local.photos.isEmpty, !sync.settings.trashesAllMissing else { return true }
        let local = local
        // In another one what was only on its way to this one counts, too.
        let missing = memory.files.lazy.count {
            (isAnother || $0.isSettled) && local[$0.path] == nil && local.leftOut(at: $0.path) == nil
        }
        if missing > 0 {
            (summary.isAnotherFolder, summary.heldEntries) = (isAnother, missing)
            return false
        }
        if isAnother { try await forget() }
        return true
    }

    private mutating func forget() async throws(SyncError) {
        var forgotten = memory
        forgotten.forget()
        guard !sync.settings.isDryRun else { return memory = forgotten }
        let empty = forgotten
        memory = try await sync.files { () throws(FileError) in
            var memory = empty
            try memory.rewrite()
            return memory
        }
    }

    /// From now on this folder is the one that is synced here.
    private mutating func markFolder() async throws(SyncError) {
        if mark == nil {
            let (folder, randomness, flush) = (folder, sync.randomness, sync.flush)
            do throws(FileError) {
                mark = try await FileWork.run { () throws(FileError) in
                    let mark = try FolderMark.make(in: folder, randomness)
                    try flush(folder)
                    return mark
                }
            } catch {
                switch error {
                case .exists: throw .underWay
                case .cancelled: throw .cancelled
                default: throw .folder(error)
                }
            }
        }
        if let mark, mark.text != memory.mark { try await learn([.folder(mark.text)]) }
    }

    /// Brings what is new in the folder to the library, as a backup does.
    private mutating func bringToLibrary(
        _ version: CatalogStore.Version
    ) async throws(SyncError) -> CatalogStore.Version {
        let (report, placing) = (report, SyncPlacing(memory.files))
        let result: (summary: BackupSummary, version: CatalogStore.Version?)
        do {
            result = try await sync.backup.run(
                opened, first: content, since: start, version: version,
                placing: placing, report: { report(.toLibrary($0)) }
            )
        } catch { throw SyncError(error) }
        (summary.toLibrary, summary.ending) = (result.summary, result.summary.ending)
        (summary.addedEntries, summary.takenOutEntries) = (placing.counts.added, placing.counts.takenOut)
        let journal = opened.journal
        local = LocalPhotos(content) { journal.unchanged($0.path, $0.stamp)?.md5 }
        return result.version ?? version
    }

    /// Finds what is left to do, and remembers what is the same: as soon as the disk has it. It may be pulled, and this
    /// device goes on; what was never written there would seem to be removed.
    private mutating func plan(_ catalog: Catalog) async throws(SyncError) -> SyncPlan {
        var plan = SyncJoin.plan(catalog, local, memory.files)
        plan.removals = removed(of: plan, catalog)
        if plan.rows.contains(where: \.isInSync) {
            let (folder, flush) = (folder, sync.flush)
            try await sync.files { () throws(FileError) in try flush(folder) }
        }
        try await learn(plan.rows)
        summary.waitingFiles = plan.waiting.count
        return plan
    }

    mutating func learn(_ rows: [SyncRow]) async throws(SyncError) {
        guard !rows.isEmpty else { return }
        let before = memory
        memory = try await sync.files { () throws(FileError) in
            var memory = before
            try memory.learn(rows)
            return memory
        }
    }
}
