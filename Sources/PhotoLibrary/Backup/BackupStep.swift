import ObjectStorage
import PhotolalaAPI

/// One piece of a backup's parallel work: reading a file, or bringing it to the store.
struct BackupStep: Sendable {
    let file: ScannedFile
    /// The first or the second time that this file is tried.
    let attempt: Int
    let work: Work

    enum Work: Sendable {
        /// Finds its date among those of its folder.
        case inspect(FolderDates?)
        /// Asks the store whether it has the content.
        case look(FileInspection)
        case upload(FileInspection)
        /// Of a photo that is stored.
        case makeThumbnail(FileInspection)

        /// The content that it is about to bring to the store, for all files that have it.
        var content: FileInspection? {
            switch self {
            case .look(let inspection), .upload(let inspection): inspection
            case .inspect, .makeThumbnail: nil
            }
        }
    }

    enum Result: Sendable {
        /// At rest was the file if nobody can have changed it since without that being seen.
        case inspected(FileInspection, isAtRest: Bool)
        case isNotStored(FileInspection)
        case stored(FileInspection, isNew: Bool, ThumbnailStep.Outcome)
        /// It is stored and could not be read back.
        case isArchived(FileInspection)
        case madeThumbnail(FileInspection, ThumbnailStep.Outcome)
        case failed(BackupFailure)
    }

    /// Whether it reads the file again while it sends it.
    var isStreamed: Bool {
        if case .upload(let inspection) = work { inspection.held == nil } else { false }
    }

    /// Whether it only asks the store for a content, and reads nothing back.
    func isQuestion(_ settings: BackupSettings) -> Bool {
        if case .look = work { !settings.readsBack } else { false }
    }

    /// The most bytes that it holds in memory at a time.
    func bytesInMemory(_ settings: BackupSettings) -> Int {
        switch work {
        case .inspect:
            file.stamp.size <= Int64(settings.heldFileLimit) ? Int(file.stamp.size) : FileInspection.pieceLength
        case .look(let inspection):
            max(inspection.held?.bytes.readableBytes ?? 0, settings.readsBack ? FileInspection.pieceLength : 0)
        case .makeThumbnail: Thumbnail.sizeLimit
        case .upload(let inspection):
            inspection.held?.bytes.readableBytes ?? settings.bytesToStream(fileOf: inspection.stamp.size)
        }
    }

    func run(
        _ backup: Backup, root: String, buffers: HeldFileBuffers, report: @escaping @Sendable (BackupEvent) -> Void
    ) async -> Result {
        do throws(BackupFailure) {
            switch work {
            case .inspect(let dates):
                let start = backup.now()
                let inspection = try await FileInspection.read(file, in: root, holding: buffers, dates: dates)
                return .inspected(inspection, isAtRest: inspection.stamp.isAtRest(at: start))
            case .makeThumbnail(let inspection):
                return .madeThumbnail(inspection, try await makeThumbnail(inspection, backup, root))
            case .look(let inspection):
                return try await repeated(backup) { _ async throws(BackupFailure) in
                    return switch try await find(inspection, backup) {
                    case .missing: .isNotStored(inspection)
                    case .stored: .stored(inspection, isNew: false, .none)
                    case .archived: .isArchived(inspection)
                    }
                }
            case .upload(let inspection):
                return try await repeated(backup) { attempt async throws(BackupFailure) in
                    // After a lost answer it may be there already.
                    if attempt > 1, try await find(inspection, backup) != .missing {
                        return .stored(inspection, isNew: false, .none)
                    }
                    return try await upload(inspection, backup, root, report)
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// Tries again what may go better the next time.
    private func repeated(
        _ backup: Backup, _ work: (_ attempt: Int) async throws(BackupFailure) -> Result
    ) async throws(BackupFailure) -> Result {
        let attempts = max(1, backup.settings.attempts)
        for attempt in 1..<attempts {
            do throws(BackupFailure) { return try await work(attempt) } catch {
                guard error.isPassing, !Task.isCancelled else { throw error }
                await backup.pause.wait(attempt: attempt)
            }
        }
        return try await work(attempts)
    }

    private func upload(
        _ inspection: FileInspection, _ backup: Backup, _ root: String,
        _ report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> Result {
        // First, so that a photo that is stored has its thumbnail, wherever this is stopped.
        let thumbnail = try await makeThumbnail(inspection, backup, root)
        do {
            let attributes = ["content-type": file.type.description, "content-md5": inspection.md5.base64]
            let body = body(inspection, root, report)
            try await backup.store.write(key(of: inspection, backup), body, attributes: attributes, if: .always)
            return .stored(inspection, isNew: true, thumbnail)
        } catch {
            if case .bodyFailed = error { try await checkReadable("\(root)/\(file.path)") }
            throw error == .digestMismatch ? .changedWhileRead : .store(error)
        }
    }

    private func find(
        _ inspection: FileInspection, _ backup: Backup
    ) async throws(BackupFailure) -> StoredContentCheck.Finding {
        let check = StoredContentCheck(store: backup.store, readsBack: backup.settings.readsBack)
        do {
            let key = key(of: inspection, backup)
            return try await check.find(inspection.md5, size: inspection.stamp.size, at: key)
        } catch { throw .store(error) }
    }

    private func key(of inspection: FileInspection, _ backup: Backup) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(backup.user, md5: inspection.md5.description))
    }

    private func makeThumbnail(
        _ inspection: FileInspection, _ backup: Backup, _ root: String
    ) async throws(BackupFailure) -> ThumbnailStep.Outcome {
        guard let step = backup.thumbnails else { return .none }
        return try await step.run("\(root)/\(file.path)", inspection, type: file.type)
    }

    /// A body that broke off may have been the file's fault and not the store's.
    private func checkReadable(_ place: String) async throws(BackupFailure) {
        do {
            _ = try await FileWork.run { () throws(FileError) in try OpenFile(place).stamp() }
        } catch {
            throw .file(error)
        }
    }

    private func body(
        _ inspection: FileInspection, _ root: String, _ report: @escaping @Sendable (BackupEvent) -> Void
    ) -> ObjectBody {
        if let held = inspection.held { return ObjectBody(held.bytes) }
        let (path, size) = (file.path, inspection.stamp.size)
        let chunks = VerifiedFileBody(place: "\(root)/\(path)", stamp: inspection.stamp, md5: inspection.md5) {
            report(.sent(path, bytes: $0, of: size))
        }
        return ObjectBody(size: size, chunks: chunks)
    }
}
