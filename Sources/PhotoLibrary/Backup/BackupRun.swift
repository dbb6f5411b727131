import ObjectStorage

/// One backup under way. All decisions are made by one task; reading and sending is done by the others.
struct BackupRun {
    private let backup: Backup
    private let root: String
    private let files: [ScannedFile]
    private let report: @Sendable (BackupEvent) -> Void
    private var stored: StoredContents
    /// Known only when missing thumbnails are to be made.
    private var storedThumbnails: StoredThumbnails?
    private var book: BackupBook
    private var summary = BackupSummary()

    private var nextFile = 0
    /// Steps that go before the next file: uploads whose bytes are held, and second attempts.
    private var ready: [BackupStep] = []
    /// Files whose content is being sent for another file just now.
    private var sameContent: [ContentDigest: [(file: ScannedFile, inspection: FileInspection)]] = [:]
    private var streak: FailureStreak

    init(
        backup: Backup, root: String, scan: ScanResult, stored: StoredContents,
        storedThumbnails: StoredThumbnails?, book: BackupBook,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) {
        self.backup = backup
        self.root = root
        self.stored = stored
        self.storedThumbnails = storedThumbnails
        self.book = book
        self.report = report
        streak = FailureStreak(limit: backup.settings.failuresInARow)
        files = scan.files
        summary.problems = scan.problems
        summary.leftOut = scan.leftOut
        summary.progress.totalFiles = scan.files.count
        summary.progress.totalBytes = scan.bytes
    }

    mutating func run() async -> BackupSummary {
        await withTaskGroup(of: (BackupStep, BackupStep.Result).self) { group in
            var running = 0
            while true {
                while running < backup.settings.parallelFiles, let step = nextStep() {
                    let (backup, root, report) = (backup, root, report)
                    group.addTask { (step, await step.run(backup, root: root, report: report)) }
                    running += 1
                }
                guard let (step, result) = await group.next() else { break }
                running -= 1
                settle(step, result)
                if book.isCommitDue(backup.settings) { await commit() }
            }
        }
        if Task.isCancelled, summary.ending == .completed, summary.progress.finishedFiles < files.count {
            summary.ending = .cancelled
        }
        if summary.ending == .completed {
            book.forgetOthers(than: files)
            if let stop = await streak.reasonToStop(asking: backup.store, user: backup.user) {
                summary.ending = .stopped(stop)
            }
        }
        await finish()
        return summary
    }

    /// Files known from the last backup are settled here, without a task of their own.
    private mutating func nextStep() -> BackupStep? {
        while summary.ending == .completed, !Task.isCancelled {
            if let step = ready.popLast() { return step }
            guard nextFile < files.count else { return nil }
            let file = files[nextFile]
            nextFile += 1
            guard let known = book.remembered(file) else { return BackupStep(file: file, attempt: 1, work: .inspect) }
            bring(file, known, attempt: 1)
        }
        return nil
    }

    private mutating func settle(_ step: BackupStep, _ result: BackupStep.Result) {
        switch result {
        case .inspected(let inspection):
            book.remember(step.file, inspection)
            bring(step.file, inspection, attempt: step.attempt)
        case .madeThumbnail(let inspection, let thumbnail):
            summary.thumbnails.count(thumbnail)
            done(step.file, inspection, .alreadyStored)
        case .stored(let inspection, let isNew, let thumbnail):
            streak.reset()
            summary.thumbnails.count(thumbnail)
            stored.insert(inspection.md5, size: inspection.stamp.size)
            if isNew {
                done(step.file, inspection, .uploaded)
            } else {
                finish(step.file, inspection, attempt: step.attempt)
            }
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                done(other.file, other.inspection, .alreadyStored)
            }
        case .failed(let failure):
            if case .makeThumbnail(let inspection) = step.work, failure != .changedWhileRead {
                // The photo itself is safe.
                settle(step, .madeThumbnail(inspection, .notMade))
                return
            }
            failed(step, failure)
            guard case .upload(let inspection, _) = step.work else { return }
            // One of the files that waited for this content tries it now, with the others behind it.
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                bring(other.file, other.inspection, attempt: 1)
            }
        }
    }

    /// Decides what a file whose content is known still needs.
    private mutating func bring(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        let contained = stored.contains(inspection.md5, size: inspection.stamp.size)
        if contained == true {
            finish(file, inspection, attempt: attempt)
        } else if sameContent[inspection.md5] != nil {
            let light = FileInspection(
                stamp: inspection.stamp, md5: inspection.md5, taken: inspection.taken, held: nil
            )
            sameContent[inspection.md5]?.append((file, light))
        } else {
            sameContent[inspection.md5] = []
            ready.append(
                BackupStep(file: file, attempt: attempt, work: .upload(inspection, lookFirst: contained == nil))
            )
        }
    }

    /// What a file whose content is stored still needs.
    private mutating func finish(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if storedThumbnails?.insert(inspection.md5) == true {
            ready.append(BackupStep(file: file, attempt: attempt, work: .makeThumbnail(inspection)))
        } else {
            done(file, inspection, .alreadyStored)
        }
    }

    private mutating func done(_ file: ScannedFile, _ inspection: FileInspection, _ outcome: BackupOutcome) {
        book.add(file, inspection)
        conclude(file, outcome, size: file.stamp.size)
    }

    private mutating func failed(_ step: BackupStep, _ failure: BackupFailure) {
        // Work that a cancellation broke off has not failed: the next backup does it.
        if Task.isCancelled { return }
        if failure == .changedWhileRead, step.attempt == 1 {
            ready.append(BackupStep(file: step.file, attempt: 2, work: .inspect))
            return
        }
        summary.failures.append((step.file.path, failure))
        conclude(step.file, .failed(failure), size: step.file.stamp.size)
        guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
        summary.ending = .stopped(reason)
    }

    private mutating func conclude(_ file: ScannedFile, _ outcome: BackupOutcome, size: Int64) {
        summary.progress.count(outcome, size: size)
        report(.finished(file.path, outcome, summary.progress))
    }

    /// A commit on the way that fails is made up for by the next one or the last.
    private mutating func commit() async {
        do {
            try await book.commit()
            report(.committed(entries: book.entries))
        } catch { return }
    }

    /// The last commit is made even when the task was cancelled, in a task that the cancellation does not reach.
    private mutating func finish() async {
        let before = book
        let (after, problem) = await Task {
            var book = before
            do throws(CatalogError) {
                try await book.commit()
                return (book, CatalogError?.none)
            } catch {
                await book.saveJournal()
                return (book, error)
            }
        }.value
        book = after
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
