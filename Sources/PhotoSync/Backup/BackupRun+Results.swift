import ObjectStorage

/// Handles the result of a step for its file and for other files with the same content.
extension BackupRun {
    mutating func handleResult(_ step: BackupStep, _ result: BackupStep.Result) {
        if backup.pressure.consume() { pace.recordRefusal(at: backup.now()) }
        switch result {
        case .inspected(let inspection, let isAtRest):
            // A file that may still be changing is backed up, but is read again by the next backup.
            commitBuffer.recordInspection(step.file, isAtRest ? inspection : inspection.matchingNoFile)
            enqueueNextStep(step.file, inspection, attempt: step.attempt)
        case .notStored(let inspection):
            readySteps.append(BackupStep(file: step.file, attempt: step.attempt, work: .upload(inspection)))
        case .madeThumbnail(let inspection, let thumbnail):
            if case .stored = thumbnail { streak.recordStored() }
            summary.thumbnails.count(thumbnail)
            complete(step.file, inspection, .alreadyStored)
        case .stored(let inspection, let isNew, let thumbnail):
            if isNew { streak.recordStored() } else { streak.reset() }
            summary.thumbnails.count(thumbnail)
            storedContents.insert(inspection.md5, size: inspection.fingerprint.size)
            if isNew {
                pace.recordTransfer(bytes: inspection.fingerprint.size, at: backup.now())
                complete(step.file, inspection, .uploaded)
            } else {
                finishStored(step.file, inspection, attempt: step.attempt)
            }
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                complete(other.file, other.inspection, .alreadyStored)
            }
        case .archived(let inspection):
            summary.archived.append(step.file.path)
            handleResult(step, .stored(inspection, isNew: false, .none))
        case .failed(let failure):
            if failure.isTransient { pace.recordRefusal(at: backup.now()) }
            if case .makeThumbnail(let inspection) = step.work, failure != .changedWhileRead {
                // The photo itself is stored.
                handleResult(step, .madeThumbnail(inspection, .notMade))
                if failure == .store(.quotaExceeded), let reason = streak.reasonToStop(after: .quotaExceeded) {
                    summary.ending = .stopped(reason)
                }
                return
            }
            handleFailure(step, failure)
            guard let inspection = step.work.content else { return }
            // One of the files that waited for this content retries it now; the others wait for that file.
            for other in sameContent.removeValue(forKey: inspection.md5) ?? [] {
                enqueueNextStep(other.file, other.inspection, attempt: 1)
            }
        }
    }

    /// Starts the next step for a file whose content is known.
    mutating func enqueueNextStep(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if commitBuffer.isDeleted(file.path, inspection.md5) {
            if commitBuffer.placing == nil { summary.leftOut.append(LeftOutFile(path: file.path, reason: .deleted)) }
            reportOutcome(file, .deleted)
            return
        }
        let contained = storedContents.contains(
            inspection.md5, size: inspection.fingerprint.size,
            isCommitted: commitBuffer.isCommitted(file.path, inspection.md5))
        if contained == true {
            finishStored(file, inspection, attempt: attempt)
        } else if sameContent[inspection.md5] != nil {
            sameContent[inspection.md5]?.append((file, inspection.withoutBytes))
        } else {
            sameContent[inspection.md5] = []
            let work: BackupStep.Work = contained == nil ? .checkStored(inspection) : .upload(inspection)
            readySteps.append(BackupStep(file: file, attempt: attempt, work: work))
        }
    }

    /// Makes a missing thumbnail for a file whose content is stored, or finishes the file.
    private mutating func finishStored(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) {
        if storedThumbnails?.insert(inspection.md5) == true {
            readySteps.append(BackupStep(file: file, attempt: attempt, work: .makeThumbnail(inspection.withoutBytes)))
        } else {
            complete(file, inspection, .alreadyStored)
        }
    }

    private mutating func complete(_ file: ScannedFile, _ inspection: FileInspection, _ outcome: BackupOutcome) {
        commitBuffer.add(file, inspection, isSent: outcome == .uploaded)
        reportOutcome(file, outcome)
    }

    private mutating func handleFailure(_ step: BackupStep, _ failure: BackupFailure) {
        // Work that was cancelled has not failed: the next backup does it.
        if Task.isCancelled { return }
        if failure == .changedWhileRead, step.attempt == 1 {
            readySteps.append(BackupStep(file: step.file, attempt: 2, work: .inspect(dates.dates(of: step.file))))
            return
        }
        summary.failures.append((step.file.path, failure))
        reportOutcome(step.file, .failed(failure))
        guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
        summary.ending = .stopped(reason)
    }

    private mutating func reportOutcome(_ file: ScannedFile, _ outcome: BackupOutcome) {
        dates.close(file)
        summary.progress.count(outcome, size: file.fingerprint.size)
        report(.finished(file.path, outcome, summary.progress))
    }
}
