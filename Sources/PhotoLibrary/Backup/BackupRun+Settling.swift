import ObjectStorage

/// Handles the result of a step for its file and for other files with the same content.
extension BackupRun {
    mutating func settle(_ step: BackupStep, _ result: BackupStep.Result) {
        if backup.pressure.take() { pace.noteRefusal(at: backup.now()) }
        switch result {
        case .inspected(let inspection, let isAtRest):
            // A file that may still be changing is backed up, but is read again by the next backup.
            book.remember(step.file, isAtRest ? inspection : inspection.ofNoFile)
            bring(step.file, inspection, attempt: step.attempt)
        case .isNotStored(let inspection):
            ready.append(BackupStep(file: step.file, attempt: step.attempt, work: .upload(inspection)))
        case .madeThumbnail(let inspection, let thumbnail):
            if case .stored = thumbnail { streak.noteStored() }
            summary.thumbnails.count(thumbnail)
            done(step.file, inspection, .alreadyStored)
        case .stored(let inspection, let isNew, let thumbnail):
            if isNew { streak.noteStored() } else { streak.reset() }
            summary.thumbnails.count(thumbnail)
            stored.insert(inspection.md5, size: inspection.stamp.size)
            if isNew {
                pace.note(bytes: inspection.stamp.size, at: backup.now())
                done(step.file, inspection, .uploaded)
            } else {
                finish(step.file, inspection, attempt: step.attempt)
            }
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                done(other.file, other.inspection, .alreadyStored)
            }
        case .isArchived(let inspection):
            summary.archived.append(step.file.path)
            settle(step, .stored(inspection, isNew: false, .none))
        case .failed(let failure):
            if failure.isPassing { pace.noteRefusal(at: backup.now()) }
            if case .makeThumbnail(let inspection) = step.work, failure != .changedWhileRead {
                // The photo itself is stored.
                settle(step, .madeThumbnail(inspection, .notMade))
                if failure == .store(.quotaExceeded), let reason = streak.reasonToStop(after: .quotaExceeded) {
                    summary.ending = .stopped(reason)
                }
                return
            }
            failed(step, failure)
            guard let inspection = step.work.content else { return }
            // One of the files that waited for this content retries it now; the others wait for that file.
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                bring(other.file, other.inspection, attempt: 1)
            }
        }
    }

    /// Starts the next step for a file whose content is known.
    mutating func bring(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if book.isDeleted(file.path, inspection.md5) {
            if book.placing == nil { summary.leftOut.append(LeftOutFile(path: file.path, reason: .deleted)) }
            conclude(file, .deleted)
            return
        }
        let contained = stored.contains(
            inspection.md5, size: inspection.stamp.size, isCommitted: book.isCommitted(file.path, inspection.md5))
        if contained == true {
            finish(file, inspection, attempt: attempt)
        } else if sameContent[inspection.md5] != nil {
            sameContent[inspection.md5]?.append((file, inspection.withoutBytes))
        } else {
            sameContent[inspection.md5] = []
            let work: BackupStep.Work = contained == nil ? .look(inspection) : .upload(inspection)
            ready.append(BackupStep(file: file, attempt: attempt, work: work))
        }
    }

    /// Makes a missing thumbnail for a file whose content is stored, or finishes the file.
    private mutating func finish(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if storedThumbnails?.insert(inspection.md5) == true {
            ready.append(BackupStep(file: file, attempt: attempt, work: .makeThumbnail(inspection.withoutBytes)))
        } else {
            done(file, inspection, .alreadyStored)
        }
    }

    private mutating func done(_ file: ScannedFile, _ inspection: FileInspection, _ outcome: BackupOutcome) {
        book.add(file, inspection, isSent: outcome == .uploaded)
        conclude(file, outcome)
    }

    private mutating func failed(_ step: BackupStep, _ failure: BackupFailure) {
        // Work that was cancelled has not failed: the next backup does it.
        if Task.isCancelled { return }
        if failure == .changedWhileRead, step.attempt == 1 {
            ready.append(BackupStep(file: step.file, attempt: 2, work: .inspect(dates.dates(of: step.file))))
            return
        }
        summary.failures.append((step.file.path, failure))
        conclude(step.file, .failed(failure))
        guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
        summary.ending = .stopped(reason)
    }

    private mutating func conclude(_ file: ScannedFile, _ outcome: BackupOutcome) {
        dates.close(file)
        summary.progress.count(outcome, size: file.stamp.size)
        report(.finished(file.path, outcome, summary.progress))
    }
}
