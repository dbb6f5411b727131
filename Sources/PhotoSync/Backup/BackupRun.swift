import Foundation
import ObjectStorage
import PhotoCatalog

/// A running backup. One task makes all decisions; child tasks walk, read and upload. Uploads start during the walk,
/// and the walk pauses while enough files are queued.
struct BackupRun {
    /// The result of a child task.
    private enum TaskResult: Sendable {
        /// The content of a folder, with the time at which listing it began.
        case listedFolder(FolderContent, since: Date)
        /// The walk was cancelled.
        case listingCancelled
        case ranStep(BackupStep, BackupStep.Result)
    }

    let backup: Backup
    private let root: String
    private let walk: FolderScan
    private let wanted: Set<LibraryPath>?
    /// The wanted files that have not been found yet.
    private var missing: Set<LibraryPath>
    let report: @Sendable (BackupEvent) -> Void
    var storedContents: StoredContents
    /// Loaded only if missing thumbnails are to be made.
    var storedThumbnails: StoredThumbnails?
    var commitBuffer: CommitBuffer
    private let journal: BackupJournal
    var summary = BackupSummary()
    var dates: OpenFolderDates

    /// Whether the root folder was empty.
    private let isEmpty: Bool
    private var folders: [LibraryPath] = []
    private var foldersInFlight = 0
    private var isWalkIncomplete = false
    private var files = FileQueue()
    private var visitedPaths: Set<LibraryPath> = []
    /// Steps that run before the next file: remaining steps for files with known content, and second attempts.
    var readySteps: [BackupStep] = []
    /// The number of large files that may wait for memory while others proceed. It is low, so that the page cache still
    /// has what was read.
    private static let maximumReadySteps = 4
    private var transfersInFlight = 0
    private var headRequestsInFlight = 0
    /// HEAD requests allowed per transfer slot.
    private static let headRequestsPerTransfer = 3
    /// Files whose content is being uploaded for another file.
    var sameContent: [ContentDigest: [(file: ScannedFile, inspection: FileInspection)]] = [:]
    var streak: FailureStreak
    var pace: TransferPace
    private var memory: StepMemory
    private let buffers: FileBufferPool

    /// - Parameters:
    ///   - wanted: The only files to back up; `nil` for all.
    ///   - first: The content of the root folder.
    ///   - start: The time at which listing the root folder began.
    init(
        backup: Backup, root: String, walk: FolderScan, wanted: Set<LibraryPath>?, first: FolderContent,
        since start: Date, stored: StoredContents, storedThumbnails: StoredThumbnails?, book: CommitBuffer,
        journal: BackupJournal, report: @escaping @Sendable (BackupEvent) -> Void
    ) {
        self.backup = backup
        self.root = root
        self.walk = walk
        self.wanted = wanted
        missing = wanted ?? []
        isEmpty = first.isEmpty
        self.report = report
        self.storedContents = stored
        self.storedThumbnails = storedThumbnails
        self.commitBuffer = book
        self.journal = journal
        streak = FailureStreak(limit: backup.settings.failuresInARow)
        pace = TransferPace(backup.settings.parallelFiles)
        memory = StepMemory(backup.settings)
        buffers = FileBufferPool(backup.settings)
        dates = backup.dates(in: root)
        apply(first, since: start)
    }

    mutating func run() async -> BackupSummary {
        await withTaskGroup(of: TaskResult.self) { group in
            while true {
                startFolders(&group)
                startSteps(&group)
                if let done = await group.next() {
                    handleTaskResult(done)
                } else if !shouldContinue || isWalkOver && files.isEmpty && readySteps.isEmpty {
                    // Otherwise all files found so far were handled from the journal, and more folders can be listed.
                    break
                }
                if commitBuffer.isCommitDue(backup.settings) { await commit() }
            }
        }
        // The backup is incomplete if any folder or file was skipped, whatever the cause.
        if summary.ending == .completed, !isFinished { summary.ending = .cancelled }
        if summary.ending == .completed {
            if isEmpty {
                journal.clearOwnAdditions()
            } else {
                journal.retainOnly(visitedPaths, unseen: summary.problems)
            }
            if wanted == nil { journal.recordChecked(day: backup.today) }
            if let stop = await streak.reasonToStop(asking: backup.store, user: backup.user) {
                summary.ending = .stopped(stop)
            }
        }
        if let wanted, summary.ending == .completed { summary.restrictProblems(wanted, missing: missing) }
        if summary.ending == .completed, wanted == nil { commitBuffer.finishWalk(isComplete: summary.isComplete) }
        await finish()
        return summary
    }

    private var isWalkOver: Bool { folders.isEmpty && foldersInFlight == 0 }
    private var isFinished: Bool {
        isWalkOver && !isWalkIncomplete && summary.progress.finishedFiles == summary.progress.totalFiles
    }
    private var shouldContinue: Bool { summary.ending == .completed && !Task.isCancelled }

    private mutating func startFolders(_ group: inout TaskGroup<TaskResult>) {
        while shouldContinue, foldersInFlight < FolderScan.parallelFolders,
            files.count < max(1, backup.settings.filesAhead),
            let folder = folders.popLast()
        {
            let (walk, start) = (walk, backup.now())
            group.addTask {
                do throws(FileError) {
                    return .listedFolder(try await walk.descend(into: folder), since: start)
                } catch { return .listingCancelled }
            }
            foldersInFlight += 1
        }
    }

    private mutating func startSteps(_ group: inout TaskGroup<TaskResult>) {
        while transfersInFlight < pace.limit, headRequestsInFlight < pace.limit * Self.headRequestsPerTransfer,
            let step = nextStep()
        {
            guard memory.reserve(step) else { return readySteps.append(step) }
            let (backup, root, buffers, report) = (backup, root, buffers, report)
            group.addTask {
                .ranStep(step, await step.run(backup, root: root, buffers: buffers, report: report))
            }
            if step.isHeadRequest(backup.settings) { headRequestsInFlight += 1 } else { transfersInFlight += 1 }
        }
    }

    private mutating func handleTaskResult(_ done: TaskResult) {
        switch done {
        case .listedFolder(let content, let start):
            foldersInFlight -= 1
            apply(content, since: start)
        case .listingCancelled:
            foldersInFlight -= 1
            isWalkIncomplete = true
        case .ranStep(let step, let result):
            if step.isHeadRequest(backup.settings) { headRequestsInFlight -= 1 } else { transfersInFlight -= 1 }
            memory.release(step)
            handleResult(step, result)
        }
    }

    private mutating func apply(_ content: FolderContent, since start: Date) {
        let chosen = wanted.map { wanted in content.files.filter { wanted.contains($0.path) } } ?? content.files
        folders.append(contentsOf: content.folders.reversed())
        files.append(chosen)
        dates.open(content.files, reading: chosen)
        if wanted != nil { missing.subtract(chosen.map(\.path)) }
        for file in content.files + content.unfinished { visitedPaths.insert(file.path) }
        for file in content.leftOut { visitedPaths.insert(file.path) }
        journal.recordNonMedia(
            content.nonMedia.filter { !journal.isNonMedia($0.path, $0.stamp) && $0.stamp.isAtRest(at: start) }
        )
        summary.problems += content.problems
        summary.leftOut += content.leftOut
        summary.clashes += content.clashes
        summary.progress.totalFiles += chosen.count
        summary.progress.totalBytes += chosen.reduce(0) { $0 + $1.fingerprint.size }
        report(.foundFiles(summary.progress, isOver: isWalkOver))
    }

    /// Returns the next step. Files that are unchanged since the last backup are handled here, without a child task.
    private mutating func nextStep() -> BackupStep? {
        while shouldContinue {
            if let index = readySteps.lastIndex(where: { !$0.isStreamed || memory.canReserve(for: $0) }) {
                return readySteps.remove(at: index)
            }
            guard readySteps.count < Self.maximumReadySteps, let file = files.popFirst() else { return nil }
            guard let known = commitBuffer.recordedInspection(file) else {
                return BackupStep(file: file, attempt: 1, work: .inspect(dates.dates(of: file)))
            }
            enqueueNextStep(file, known, attempt: 1)
        }
        return nil
    }

    /// Commits pending changes. After a failure the next commit or the last one includes them, unless no later commit
    /// can succeed.
    private mutating func commit() async {
        do {
            try await commitBuffer.commit()
            storedContents.useCatalog(commitBuffer.catalog)
            report(.committed(entries: commitBuffer.entries))
        } catch {
            if error == .purging, shouldContinue { summary.ending = .stopped(.catalog(error)) }
        }
    }

    /// Makes the last commit, even if the task was cancelled, in a task that is not.
    private mutating func finish() async {
        let before = commitBuffer
        let (after, problem) = await Task {
            var book = before
            do throws(CatalogError) {
                try await book.commit()
                return (book, CatalogError?.none)
            } catch {
                await book.compactJournal()
                return (book, error)
            }
        }.value
        commitBuffer = after
        summary.sort()
        summary.conflicts = commitBuffer.conflicts
        summary.catalogEntries = commitBuffer.entries
        if let problem {
            let isFirstReason = summary.ending == .completed || summary.ending == .cancelled
            if isFirstReason { summary.ending = .stopped(.catalog(problem)) }
        } else {
            report(.committed(entries: commitBuffer.entries))
        }
    }
}
