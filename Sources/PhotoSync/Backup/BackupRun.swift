import Foundation
import ObjectStorage
import PhotoCatalog

/// The state of a running backup, which its stages pass on. One task makes all decisions; child tasks list folders, and
/// read and upload files.
struct BackupRun {
    /// The result of a child task.
    enum Completion: Sendable {
        /// The content of a folder, with the time at which listing it began.
        case listedFolder(FolderContent, since: Date)
        /// Listing a folder was cancelled.
        case cancelledListing
        case ranStep(BackupStep, BackupStep.Result)
    }

    private let backup: Backup
    private let report: @Sendable (BackupEvent) -> Void
    private var scanner: BackupScanner
    private var planner: BackupPlanner
    private var transfers: BackupTransfers
    private(set) var commits: CommitBuffer
    private(set) var summary = BackupSummary()
    /// A content of which no thumbnail was made, by whether it is a video.
    private var withoutThumbnail: [Bool: (content: ContentDigest, type: MediaType)] = [:]

    /// Determines what is committed and stored. The parameters are those of `Backup.backUp`.
    init(
        _ backup: Backup, of opened: OpenedFiles, only wanted: Set<LibraryPath>?, rootContent: FolderContent,
        since start: Date, version: CatalogStore.Version?, mapping: (any CatalogChangeMapping)?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) {
        self.backup = backup
        self.report = report
        do {
            commits = try await CommitBuffer(
                catalogs: backup.catalogs, journal: opened.journal, journalFile: opened.journalFile, version: version,
                mapping: mapping, now: backup.now
            )
        } catch { throw .catalog(error) }
        do {
            planner = try await BackupPlanner(backup, catalog: commits.catalog, journal: opened.journal)
        } catch { throw .store(error) }
        scanner = BackupScanner(
            opened.source, wanted: wanted, isRootEmpty: rootContent.isEmpty,
            dates: OpenFolderDates(
                source: opened.source.dateSource, zone: backup.settings.zone,
                until: .latestCapture(at: Timestamp(whole: backup.now()))))
        transfers = BackupTransfers(
            BackupWorker(
                backup: backup, source: opened.source, buffers: FileBufferPool(backup.settings), report: report))
        record(rootContent, since: start)
    }

    private var shouldContinue: Bool { summary.ending == .completed && !Task.isCancelled }

    /// Whether the remaining files are only counted, because the quota allows no more uploads.
    private var isCounting: Bool { summary.ending == .stopped(.overQuota) && !Task.isCancelled }

    /// Whether no work is left, given that no child task is running.
    var isOver: Bool { !shouldContinue || scanner.isOver && scanner.files.isEmpty && planner.isEmpty }

    /// Starts to list further folders.
    mutating func scan(in group: inout TaskGroup<Completion>) {
        if isCounting { countQueuedFiles() }
        while shouldContinue || isCounting, let folder = scanner.nextFolder(filesAhead: backup.settings.filesAhead) {
            let (source, start) = (scanner.source, backup.now())
            group.addTask {
                do throws(BackupError) {
                    return .listedFolder(try await source.content(of: folder), since: start)
                } catch { return .cancelledListing }
            }
        }
    }

    /// Returns the next step; `nil` if there is none yet or no slot is free. Files that are unchanged since the last
    /// backup are handled here, without a child task.
    mutating func plan() -> BackupStep? {
        guard transfers.hasFreeSlot else { return nil }
        while shouldContinue {
            if let step = planner.nextReadyStep(in: transfers) { return step }
            guard planner.acceptsFiles, let file = scanner.nextFile() else { return nil }
            guard let recorded = commits.recordedInspection(file) else {
                return BackupStep(file: file, attempt: 1, work: .inspect(scanner.dates(of: file)))
            }
            planNextStep(file, recorded, attempt: 1)
        }
        return nil
    }

    /// Starts a step. If there is not enough memory, the step remains ready.
    /// - Returns: Whether it was started.
    mutating func transfer(_ step: BackupStep, in group: inout TaskGroup<Completion>) -> Bool {
        guard transfers.begin(step) else {
            planner.append(step)
            return false
        }
        let worker = transfers.worker
        group.addTask { .ranStep(step, await worker.run(step)) }
        return true
    }

    /// Commits pending changes if enough are pending. After a failure the next commit or the last one includes them,
    /// unless no later commit can succeed.
    mutating func commitIfDue() async {
        guard commits.isCommitDue(backup.settings) else { return }
        do {
            try await commits.commit()
            planner.useCatalog(commits.catalog)
            report(.committed(entries: commits.entries))
        } catch {
            if error == .purging, shouldContinue { summary.ending = .stopped(.catalog(error)) }
        }
    }

    mutating func record(_ completion: Completion) {
        switch completion {
        case .listedFolder(let content, let start):
            scanner.finishFolder(wasCancelled: false)
            record(content, since: start)
        case .cancelledListing: scanner.finishFolder(wasCancelled: true)
        case .ranStep(let step, let result):
            transfers.finish(step)
            if backup.pressure.consume() { transfers.pace.recordRefusal(at: backup.now()) }
            record(result, of: step)
        }
    }

    private mutating func record(_ content: FolderContent, since start: Date) {
        let selected = scanner.append(content)
        let journal = commits.journal
        journal.recordNonMedia(
            content.nonMedia.filter {
                !journal.isNonMedia($0.path, $0.fingerprint) && $0.fingerprint.isAtRest(at: start)
            })
        summary.record(content, selected: selected)
        report(.foundFiles(summary.progress, isOver: scanner.isOver))
    }

    /// Plans what follows from the result of a step, for its file and for other files with the same content.
    private mutating func record(_ result: BackupStep.Result, of step: BackupStep) {
        switch result {
        case .inspected(let file, let inspection, let isAtRest):
            // A file that may still be changing is backed up, but is read again by the next backup.
            commits.recordInspection(file, isAtRest ? inspection : inspection.matchingNoFile)
            if file.knownSize != step.file.knownSize {
                summary.progress.totalBytes += file.knownSize - step.file.knownSize
                report(.foundFiles(summary.progress, isOver: scanner.isOver))
            }
            if scanner.source.localPath(of: file) != nil { planner.recordRead(inspection.md5) }
            planNextStep(file, inspection, attempt: step.attempt)
        case .leftOut(let reason, let fingerprint, let isAtRest):
            scanner.finishFile(step.file)
            summary.recordLeftOut(step.file, reason)
            if isAtRest { commits.journal.recordNonMedia([(step.file.path, fingerprint)]) }
            report(.foundFiles(summary.progress, isOver: scanner.isOver))
        case .notStored(let inspection):
            planner.append(BackupStep(file: step.file, attempt: step.attempt, work: .upload(inspection)))
        case .madeThumbnail(let inspection, let thumbnail):
            if case .stored = thumbnail { transfers.streak.recordStored() }
            countThumbnail(thumbnail, of: step.file, inspection.md5)
            complete(step.file, inspection, .alreadyStored)
        case .stored(let inspection, let isNew, let thumbnail):
            countThumbnail(thumbnail, of: step.file, inspection.md5)
            recordStored(step, inspection, isNew: isNew)
        case .archived(let inspection):
            summary.archived.append(step.file.path)
            recordStored(step, inspection, isNew: false)
        case .deferred(let inspection):
            transfers.streak.reset()
            for file in [step.file] + planner.popDuplicates(of: inspection).map(\.file) {
                reportOutcome(file, .deferred)
            }
        case .failed(let failure): recordFailure(failure, of: step)
        }
    }

    private mutating func recordStored(_ step: BackupStep, _ inspection: FileInspection, isNew: Bool) {
        planner.recordStored(inspection)
        if isNew {
            transfers.streak.recordStored()
            transfers.pace.recordTransfer(bytes: inspection.fingerprint.size, at: backup.now())
            complete(step.file, inspection, .uploaded)
        } else {
            transfers.streak.reset()
            if !planner.planThumbnail(step.file, inspection, attempt: step.attempt) {
                complete(step.file, inspection, .alreadyStored)
            }
        }
        for duplicate in planner.popDuplicates(of: inspection) {
            complete(duplicate.file, duplicate.inspection.with(inspection.facts), .alreadyStored)
        }
    }

    private mutating func recordFailure(_ failure: BackupFailure, of step: BackupStep) {
        if failure.isTransient { transfers.pace.recordRefusal(at: backup.now()) }
        if let inspection = step.work.picturedContent, failure != .changedWhileRead {
            // The photo itself is stored.
            countThumbnail(.notMade, of: step.file, inspection.md5)
            complete(step.file, inspection, .alreadyStored)
            if failure == .store(.quotaExceeded), let reason = transfers.streak.reasonToStop(after: .quotaExceeded) {
                summary.ending = .stopped(reason)
            }
            return
        }
        retryOrFail(step, failure)
        guard let inspection = step.work.content else { return }
        // One of the files that waited for this content retries it now; the others wait for that file.
        for duplicate in planner.popDuplicates(of: inspection) {
            planNextStep(duplicate.file, duplicate.inspection, attempt: 1)
        }
    }

    /// Plans another attempt for a file that was modified while it was read. Other failures are final.
    private mutating func retryOrFail(_ step: BackupStep, _ failure: BackupFailure) {
        // Work that was cancelled has not failed: the next backup does it.
        if Task.isCancelled { return }
        if failure == .changedWhileRead, step.attempt == 1 {
            planner.append(BackupStep(file: step.file, attempt: 2, work: .inspect(scanner.dates(of: step.file))))
            return
        }
        summary.failures.append((step.file.path, failure))
        reportOutcome(step.file, .failed(failure))
        if let reason = scanner.source.unavailability, summary.ending == .completed {
            summary.ending = .stopped(.source(reason))
        }
        guard case .store(let error) = failure, let reason = transfers.streak.reasonToStop(after: error) else { return }
        summary.ending = .stopped(reason)
    }

    /// Plans the next step of a file whose content is known. If there is none, the file is complete.
    private mutating func planNextStep(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if commits.isDeleted(file.path, inspection.md5) {
            if commits.mapping == nil { summary.leftOut.append(LeftOutFile(path: file.path, reason: .deleted)) }
            reportOutcome(file, .deleted)
            return
        }
        let journal = commits.journal
        let isComplete = planner.plan(
            file, inspection, attempt: attempt, isCommitted: journal.committed(file.path) == inspection.md5)
        if isComplete { complete(file, inspection, .alreadyStored) }
    }

    /// Adds a file whose content is stored to the next commit.
    private mutating func complete(_ file: ScannedFile, _ inspection: FileInspection, _ outcome: BackupOutcome) {
        if commits.add(file, inspection, isNew: outcome == .uploaded) { summary.addedFiles += 1 }
        reportOutcome(file, outcome)
    }

    private mutating func reportOutcome(_ file: ScannedFile, _ outcome: BackupOutcome) {
        scanner.finishFile(file)
        summary.progress.count(outcome, size: file.knownSize)
        report(.finished(file.path, outcome, summary.progress))
    }

    /// Removes the queued files. Those that this device has backed up before count as stored, the others as not
    /// uploaded.
    private mutating func countQueuedFiles() {
        let journal = commits.journal
        while let file = scanner.nextFile() {
            if let known = commits.recordedInspection(file), journal.committed(file.path) == known.md5 {
                reportOutcome(file, .alreadyStored)
            } else {
                scanner.finishFile(file)
            }
        }
    }

    private mutating func countThumbnail(
        _ outcome: ThumbnailStep.Outcome, of file: ScannedFile, _ content: ContentDigest
    ) {
        summary.thumbnails.count(outcome, of: file.path)
        if case .notMade = outcome { withoutThumbnail[file.type.isVideo] = (content, file.type) }
    }

    /// Tries the tool with a correct photo if it made no thumbnail of some photo, and so with videos.
    mutating func checkTool(_ maker: any PictureMaker) async {
        let probe = ToolProbe(maker: maker, folder: backup.picturesFolder)
        // A tool that fails with photos fails with the frames of videos.
        for (content, type) in [false, true].compactMap({ withoutThumbnail[$0] }) {
            guard summary.thumbnails.toolFailure == nil else { return }
            summary.thumbnails.toolFailure = await probe.failure(after: content, type: type)
        }
    }

    /// Records the results of the scan, and makes the last commit.
    mutating func finish() async {
        // The backup is incomplete if any folder or file was skipped, whatever the cause.
        let isFinished = scanner.isComplete && summary.progress.finishedFiles == summary.progress.totalFiles
        if summary.ending == .completed, !isFinished { summary.ending = .cancelled }
        if summary.ending == .completed { await finishScan() }
        await commitRemaining()
    }

    private mutating func finishScan() async {
        let journal = commits.journal
        if scanner.wanted == nil {
            if scanner.isRootEmpty {
                journal.clearOwnAdditions()
            } else {
                journal.retainOnly(scanner.visitedPaths, unseen: summary.problems)
            }
            journal.recordChecked(day: backup.today)
        }
        if let stop = await transfers.streak.reasonToStop(asking: backup.store, user: backup.user) {
            summary.ending = .stopped(stop)
        } else if let wanted = scanner.wanted {
            summary.restrict(to: wanted)
        } else {
            commits.finishScan(isComplete: summary.isComplete)
        }
    }

    /// Makes the last commit, even if the task was cancelled, in a task that is not.
    private mutating func commitRemaining() async {
        let pending = commits
        let (committed, problem) = await Task {
            var commits = pending
            do throws(CatalogError) {
                try await commits.commit()
                return (commits, CatalogError?.none)
            } catch {
                await commits.compactJournal()
                return (commits, error)
            }
        }.value
        commits = committed
        summary.sort()
        summary.conflicts = commits.conflicts
        summary.catalogEntries = commits.entries
        summary.filesInTrash = commits.filesInTrash(scanner.wanted?.paths ?? scanner.visitedPaths)
        if let problem {
            let isFirstReason = summary.ending == .completed || summary.ending == .cancelled
            if isFirstReason { summary.ending = .stopped(.catalog(problem)) }
        } else {
            report(.committed(entries: commits.entries))
        }
    }
}
