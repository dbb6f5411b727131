import ObjectStorage
import PhotolalaAPI

/// One piece of a backup's parallel work: reading a file, or bringing it to the store.
struct BackupStep: Sendable {
    let file: ScannedFile
    /// The first or the second time that this file is tried.
    let attempt: Int
    let work: Work

    enum Work: Sendable {
        case inspect
        case upload(FileInspection, lookFirst: Bool)
        /// Of a photo that is stored.
        case makeThumbnail(FileInspection)
    }

    enum Result: Sendable {
        case inspected(FileInspection)
        case stored(FileInspection, isNew: Bool, ThumbnailStep.Outcome)
        case madeThumbnail(FileInspection, ThumbnailStep.Outcome)
        case failed(BackupFailure)
    }

    func run(
        _ backup: Backup, root: String, report: @escaping @Sendable (BackupEvent) -> Void
    ) async -> Result {
        do throws(BackupFailure) {
            switch work {
            case .inspect:
                let limit = backup.settings.heldFileLimit
                return .inspected(
                    try await FileInspection.read("\(root)/\(file.path)", type: file.type, holdingUpTo: limit)
                )
            case .makeThumbnail(let inspection):
                return .madeThumbnail(inspection, try await makeThumbnail(inspection, backup, root))
            case .upload(let inspection, let lookFirst):
                for attempt in 1..<max(1, backup.settings.attempts) {
                    do throws(BackupFailure) {
                        // After a lost answer it may be there already.
                        return try await upload(inspection, lookFirst || attempt > 1, backup, root, report)
                    } catch {
                        guard error.isPassing, !Task.isCancelled else { throw error }
                        await backup.pause.wait(attempt: attempt)
                    }
                }
                return try await upload(inspection, lookFirst || backup.settings.attempts > 1, backup, root, report)
            }
        } catch {
            return .failed(error)
        }
    }

    private func upload(
        _ inspection: FileInspection, _ lookFirst: Bool, _ backup: Backup, _ root: String,
        _ report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> Result {
        let key = ObjectKey(known: StorageLayout.photo(backup.user, md5: inspection.md5.description))
        if lookFirst, try await isStored(inspection, at: key, backup) {
            return .stored(inspection, isNew: false, .none)
        }
        // First, so that a photo that is stored has its thumbnail, wherever this is stopped.
        let thumbnail = try await makeThumbnail(inspection, backup, root)
        do {
            let attributes = ["content-type": file.type.description, "content-md5": inspection.md5.base64]
            let body = body(inspection, root, report)
            try await backup.store.write(key, body, attributes: attributes, if: .always)
            return .stored(inspection, isNew: true, thumbnail)
        } catch {
            if case .bodyFailed = error { try await checkReadable("\(root)/\(file.path)") }
            throw error == .digestMismatch ? .changedWhileRead : .store(error)
        }
    }

    private func isStored(
        _ inspection: FileInspection, at key: ObjectKey, _ backup: Backup
    ) async throws(BackupFailure) -> Bool {
        let check = StoredContentCheck(store: backup.store, readsBack: backup.settings.readsBack)
        do {
            return try await check.finds(inspection.md5, size: inspection.stamp.size, at: key)
        } catch { throw .store(error) }
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
        if let held = inspection.held { return ObjectBody(held) }
        let (path, size) = (file.path, inspection.stamp.size)
        let chunks = VerifiedFileBody(place: "\(root)/\(path)", stamp: inspection.stamp, md5: inspection.md5) {
            report(.sent(path, bytes: $0, of: size))
        }
        return ObjectBody(size: size, chunks: chunks)
    }
}
