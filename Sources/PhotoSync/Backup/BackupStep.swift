import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// One unit of a backup's parallel work: reading a file, or uploading it.
struct BackupStep: Sendable {
    let file: ScannedFile
    /// The number of the attempt for this file: 1 or 2.
    let attempt: Int
    let work: Work

    enum Work: Sendable {
        /// A read of the file. The associated value finds its date among those of its folder.
        case inspect(FolderDates?)
        /// A HEAD request for the content.
        case checkStored(FileInspection)
        case upload(FileInspection)
        /// The thumbnail of a stored photo.
        case makeThumbnail(FileInspection)

        /// The content that the step checks or uploads, on behalf of all files that have it.
        var content: FileInspection? {
            switch self {
            case .checkStored(let inspection), .upload(let inspection): inspection
            case .inspect, .makeThumbnail: nil
            }
        }
    }

    enum Result: Sendable {
        /// `isAtRest`: any later write changes the fingerprint.
        case inspected(FileInspection, isAtRest: Bool)
        case notStored(FileInspection)
        case stored(FileInspection, isNew: Bool, ThumbnailStep.Outcome)
        /// The content is stored but archived, so it could not be read back.
        case archived(FileInspection)
        case madeThumbnail(FileInspection, ThumbnailStep.Outcome)
        case failed(BackupFailure)
    }

    /// Whether the step reads the file again during the upload.
    var isStreamed: Bool {
        if case .upload(let inspection) = work { inspection.bufferedFile == nil } else { false }
    }

    /// Returns whether the step only sends a HEAD request and reads nothing back.
    func isHeadRequest(_ settings: BackupSettings) -> Bool {
        if case .checkStored = work { !settings.verifiesStoredBytes } else { false }
    }

    /// Returns the largest number of bytes that the step holds in memory.
    func bytesInMemory(_ settings: BackupSettings) -> Int {
        switch work {
        case .inspect:
            file.fingerprint.size <= Int64(settings.bufferedFileLimit)
                ? Int(file.fingerprint.size) : FileInspection.pieceLength
        case .checkStored(let inspection):
            max(
                inspection.bufferedFile?.bytes.readableBytes ?? 0,
                settings.verifiesStoredBytes ? FileInspection.pieceLength : 0)
        case .makeThumbnail: Thumbnail.sizeLimit
        case .upload(let inspection):
            inspection.bufferedFile?.bytes.readableBytes ?? settings.bytesToStream(fileOf: inspection.fingerprint.size)
        }
    }

    func run(
        _ backup: Backup, root: String, buffers: FileBufferPool, report: @escaping @Sendable (BackupEvent) -> Void
    ) async -> Result {
        do throws(BackupFailure) {
            switch work {
            case .inspect(let dates):
                let start = backup.now()
                let inspection = try await FileInspection.read(file, in: root, holding: buffers, dates: dates)
                return .inspected(inspection, isAtRest: inspection.fingerprint.isAtRest(at: start))
            case .makeThumbnail(let inspection):
                return .madeThumbnail(inspection, try await makeThumbnail(inspection, backup, root))
            case .checkStored(let inspection):
                return try await withRetries(backup) { _ async throws(BackupFailure) in
                    return switch try await checkStored(inspection, backup) {
                    case .missing: .notStored(inspection)
                    case .stored: .stored(inspection, isNew: false, .none)
                    case .archived: .archived(inspection)
                    }
                }
            case .upload(let inspection):
                return try await withRetries(backup) { attempt async throws(BackupFailure) in
                    // After a lost response the content may be stored already.
                    if attempt > 1, try await checkStored(inspection, backup) != .missing {
                        return .stored(inspection, isNew: false, .none)
                    }
                    return try await upload(inspection, backup, root, report)
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// Runs work and retries it after failures that may be transient.
    private func withRetries(
        _ backup: Backup, _ work: (_ attempt: Int) async throws(BackupFailure) -> Result
    ) async throws(BackupFailure) -> Result {
        let attempts = max(1, backup.settings.attempts)
        for attempt in 1..<attempts {
            do throws(BackupFailure) { return try await work(attempt) } catch {
                guard error.isTransient, !Task.isCancelled else { throw error }
                await backup.pause.wait(attempt: attempt)
            }
        }
        return try await work(attempts)
    }

    private func upload(
        _ inspection: FileInspection, _ backup: Backup, _ root: String,
        _ report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> Result {
        // The thumbnail comes first, so that an interruption never leaves a stored photo without one.
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

    private func checkStored(
        _ inspection: FileInspection, _ backup: Backup
    ) async throws(BackupFailure) -> StoredContentCheck.Finding {
        let check = StoredContentCheck(store: backup.store, verifiesStoredBytes: backup.settings.verifiesStoredBytes)
        do {
            let key = key(of: inspection, backup)
            return try await check.check(inspection.md5, size: inspection.fingerprint.size, at: key)
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

    /// Throws a file error if the file cannot be read: a failed body can be the fault of the file instead of the store.
    private func checkReadable(_ place: String) async throws(BackupFailure) {
        do {
            _ = try await FileWork.run { () throws(FileError) in try OpenFile(place).fingerprint() }
        } catch {
            throw .file(error)
        }
    }

    private func body(
        _ inspection: FileInspection, _ root: String, _ report: @escaping @Sendable (BackupEvent) -> Void
    ) -> ObjectBody {
        if let held = inspection.bufferedFile { return ObjectBody(held.bytes) }
        let (path, size) = (file.path, inspection.fingerprint.size)
        let chunks = VerifiedFileBody(path: "\(root)/\(path)", fingerprint: inspection.fingerprint, md5: inspection.md5)
        {
            report(.sent(path, bytes: $0, of: size))
        }
        return ObjectBody(size: size, chunks: chunks)
    }
}
