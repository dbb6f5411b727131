import Foundation
import ObjectStorage

/// A running backup. One task makes all decisions; child tasks walk, read and upload. Uploads start during the walk,
/// and the walk pauses while enough files are queued.
struct BackupRun {
    /// The result of a child task.
    private enum Done: Sendable {
        /// The content of a folder, with the time at which listing it began.
        case looked(FolderContent, since: Date)
        /// The walk was cancelled.
        case notLooked
        case stepped(BackupStep, BackupStep.Result)
    }

    let backup: Backup
    private let root: String
    private let walk: FolderScan
    private let wanted: Set<LibraryPath>?
    /// The wanted files that have not been found yet.
    private var missing: Set<LibraryPath>
    let report: @Sendable (BackupEvent) -> Void
    var stored: StoredContents
    /// Loaded only if missing thumbnails are to be made.
    var storedThumbnails: StoredThumbnails?
    var book: BackupBook
    private let journal: BackupJournal
    var summary = BackupSummary()
    var dates: OpenFolderDates

    /// Whether the root folder was empty.
    private let isEmpty: Bool
    private var folders: [LibraryPath] = []
    private var foldersUnderWay = 0
    private var isWalkCut = false
    private var files = FileQueue()
    private var seen: Set<LibraryPath> = []
    /// Steps that run before the next file: remaining steps for files with known content, and second attempts.
    var ready: [BackupStep] = []
    /// The number of large files that may wait for memory while others proceed. It is low, so that the page cache still
    /// has what was read.
    private static let mostWaiting = 4
    private var transfersUnderWay = 0
    private var questionsUnderWay = 0
    /// HEAD requests allowed per transfer slot.
    private static let questionsPerTransfer = 3
    /// Files whose content is being uploaded for another file.
    var sameContent: [ContentDigest: [(file: ScannedFile, inspection: FileInspection)]] = [:]
    var streak: FailureStreak
    var pace: TransferPace
    private var memory: StepMemory
    private let buffers: HeldFileBuffers

    /// - Parameters:
    ///   - wanted: The only files to back up; `nil` for all.
    ///   - first: The content of the root folder.
    ///   - start: The time at which listing the root folder began.
    init(
        backup: Backup, root: String, walk: FolderScan, wanted: Set<LibraryPath>?, first: FolderContent,
        since start: Date, stored: StoredContents, storedThumbnails: StoredThumbnails?, book: BackupBook,
        journal: BackupJournal, report: @escaping @Sendable (BackupEvent) -> Void
    ) {
        self.backup = backup
        self.root = root
        self.walk = walk
        self.wanted = wanted
        missing = wanted ?? []
        isEmpty = first.isEmpty
        self.report = report
        self.stored = stored
        self.storedThumbnails = storedThumbnails
        self.book = book
        self.journal = journal
        streak = FailureStreak(limit: backup.settings.failuresInARow)
        pace = TransferPace(backup.settings.parallelFiles)
        memory = StepMemory(backup.settings)
        buffers = HeldFileBuffers(backup.settings)
        dates = backup.dates(in: root)
        take(first, since: start)
    }

    mutating func run() async -> BackupSummary {
        await withTaskGroup(of: Done.self) { group in
            while true {
                startFolders(&group)
                startSteps(&group)
                if let done = await group.next() {
                    take(done)
                } else if !goesOn || isWalkOver && files.isEmpty && ready.isEmpty {
                    // Otherwise all files found so far were handled from the journal, and more folders can be listed.
                    break
                }
                if book.isCommitDue(backup.settings) { await commit() }
            }
        }
        // The backup is incomplete if any folder or file was skipped, whatever the cause.
        if summary.ending == .completed, !isOver { summary.ending = .cancelled }
        if summary.ending == .completed {
            if isEmpty { journal.disown() } else { journal.keepOnly(seen, unseen: summary.problems) }
            if wanted == nil { journal.recordChecked(day: backup.today) }
            if let stop = await streak.reasonToStop(asking: backup.store, user: backup.user) {
                summary.ending = .stopped(stop)
            }
        }
        if let wanted, summary.ending == .completed { summary.judge(wanted, missing: missing) }
        if summary.ending == .completed, wanted == nil { book.sawEverything(isComplete: summary.isComplete) }
        await finish()
        return summary
    }

    private var isWalkOver: Bool { folders.isEmpty && foldersUnderWay == 0 }
    private var isOver: Bool {
        isWalkOver && !isWalkCut && summary.progress.finishedFiles == summary.progress.totalFiles
    }
    private var goesOn: Bool { summary.ending == .completed && !Task.isCancelled }

    private mutating func startFolders(_ group: inout TaskGroup<Done>) {
        while goesOn, foldersUnderWay < FolderScan.parallelFolders, files.count < max(1, backup.settings.filesAhead),
            let folder = folders.popLast()
        {
            let (walk, start) = (walk, backup.now())
            group.addTask {
                do throws(FileError) {
                    return .looked(try await walk.look(into: folder), since: start)
                } catch { return .notLooked }
            }
            foldersUnderWay += 1
        }
    }

    private mutating func startSteps(_ group: inout TaskGroup<Done>) {
        while transfersUnderWay < pace.limit, questionsUnderWay < pace.limit * Self.questionsPerTransfer,
            let step = nextStep()
        {
            guard memory.take(step) else { return ready.append(step) }
            let (backup, root, buffers, report) = (backup, root, buffers, report)
            group.addTask {
                .stepped(step, await step.run(backup, root: root, buffers: buffers, report: report))
            }
            if step.isQuestion(backup.settings) { questionsUnderWay += 1 } else { transfersUnderWay += 1 }
        }
    }

    private mutating func take(_ done: Done) {
        switch done {
        case .looked(let content, let start):
            foldersUnderWay -= 1
            take(content, since: start)
        case .notLooked:
            foldersUnderWay -= 1
            isWalkCut = true
        case .stepped(let step, let result):
            if step.isQuestion(backup.settings) { questionsUnderWay -= 1 } else { transfersUnderWay -= 1 }
            memory.give(step)
            settle(step, result)
        }
    }

    private mutating func take(_ content: FolderContent, since start: Date) {
        let chosen = wanted.map { wanted in content.files.filter { wanted.contains($0.path) } } ?? content.files
        folders.append(contentsOf: content.folders.reversed())
        files.append(chosen)
        dates.open(content.files, reading: chosen)
        if wanted != nil { missing.subtract(chosen.map(\.path)) }
        for file in content.files + content.unfinished { seen.insert(file.path) }
        for file in content.leftOut { seen.insert(file.path) }
        journal.recordForeign(
            content.foreign.filter { !journal.isForeign($0.path, $0.stamp) && $0.stamp.isAtRest(at: start) }
        )
        summary.problems += content.problems
        summary.leftOut += content.leftOut
        summary.clashes += content.clashes
        summary.progress.totalFiles += chosen.count
        summary.progress.totalBytes += chosen.reduce(0) { $0 + $1.stamp.size }
        report(.walked(summary.progress, isOver: isWalkOver))
    }

    /// Returns the next step. Files that are unchanged since the last backup are handled here, without a child task.
    private mutating func nextStep() -> BackupStep? {
        while goesOn {
            if let index = ready.lastIndex(where: { !$0.isStreamed || memory.hasRoom(for: $0) }) {
                return ready.remove(at: index)
            }
            guard ready.count < Self.mostWaiting, let file = files.popFirst() else { return nil }
            guard let known = book.remembered(file) else {
                return BackupStep(file: file, attempt: 1, work: .inspect(dates.dates(of: file)))
            }
            bring(file, known, attempt: 1)
        }
        return nil
    }

    /// Commits pending changes. After a failure the next commit or the last one includes them, unless no later commit
    /// can succeed.
    private mutating func commit() async {
        do {
            try await book.commit()
            stored.learn(book.catalog)
            report(.committed(entries: book.entries))
        } catch {
            if error == .purging, goesOn { summary.ending = .stopped(.catalog(error)) }
        }
    }

    /// Makes the last commit, even if the task was cancelled, in a task that is not.
    private mutating func finish() async {
        let before = book
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
        book = after
        summary.sort()
        summary.conflicts = book.conflicts
        summary.catalogEntries = book.entries
        if let problem {
            let isFirstReason = summary.ending == .completed || summary.ending == .cancelled
            if isFirstReason { summary.ending = .stopped(.catalog(problem)) }
        } else {
            report(.committed(entries: book.entries))
        }
    }
}
