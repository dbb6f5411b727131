import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The transfer stage of a backup: limits how many steps run in parallel, and for how long failures are tolerated.
struct BackupTransfers {
    let worker: BackupWorker
    private var slots: TransferSlots
    var pace: TransferPace
    var streak: FailureStreak

    init(_ worker: BackupWorker) {
        self.worker = worker
        let settings = worker.backup.settings
        slots = TransferSlots(settings)
        pace = TransferPace(settings.parallelFiles)
        streak = FailureStreak(limit: settings.failuresInARow)
    }

    var hasFreeSlot: Bool { slots.isAvailable(limit: pace.limit) }

    func hasMemory(for step: BackupStep) -> Bool { slots.hasMemory(for: step) }

    /// Reserves slot and memory of a step until it is passed to `finish`; returns whether the memory was available.
    mutating func begin(_ step: BackupStep) -> Bool { slots.acquire(step) }

    mutating func finish(_ step: BackupStep) { slots.release(step) }
}

/// Runs the steps of a backup, each in a child task: reads a file, checks whether a content is stored, or uploads it.
struct BackupWorker: Sendable {
    let backup: Backup
    let source: any FileSource
    let buffers: FileBufferPool
    let report: @Sendable (BackupEvent) -> Void

    func run(_ step: BackupStep) async -> BackupStep.Result {
        do throws(BackupFailure) {
            switch step.work {
            case .inspect(let dates): return try await inspect(step.file, dates)
            case .makeThumbnail(let inspection): return try await fillThumbnail(step.file, inspection)
            case .makeThumbnailIfMissing(let inspection):
                guard await lacksThumbnail(inspection) else { return .madeThumbnail(inspection, .none) }
                return try await fillThumbnail(step.file, inspection)
            case .checkStored(let inspection, let isKnown):
                if let deferred = backup.deferred, !isKnown,
                    await !deferred.accepts(inspection.md5, size: inspection.fingerprint.size)
                {
                    return .deferred(inspection)
                }
                return try await withRetries { _ async throws(BackupFailure) in
                    switch try await checkStored(inspection) {
                    case .missing: .notStored(inspection)
                    case .stored: .stored(inspection, isNew: false, .none)
                    case .archived: .archived(inspection)
                    }
                }
            case .upload(let inspection): return try await upload(step.file, inspection)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Makes and stores the pictures of a stored photo.
    private func fillThumbnail(
        _ file: ScannedFile, _ inspection: FileInspection
    ) async throws(BackupFailure) -> BackupStep.Result {
        let product = try await makeThumbnail(file, inspection)
        let outcome = try await storeThumbnail(product, of: inspection)
        return .madeThumbnail(inspection.with(product.facts), outcome)
    }

    /// Returns whether a photo has no thumbnail. A store that does not answer counts as if it had one.
    private func lacksThumbnail(_ inspection: FileInspection) async -> Bool {
        let key = PictureKind.thumbnail.key(of: inspection.md5, backup.user)
        do { return try await backup.store.head(key) == nil } catch { return false }
    }

    /// Runs work and retries it after failures that may be transient.
    private func withRetries<Value: Sendable>(
        _ work: (_ attempt: Int) async throws(BackupFailure) -> Value
    ) async throws(BackupFailure) -> Value {
        let attempts = max(1, backup.settings.attempts)
        for attempt in 1..<attempts {
            do throws(BackupFailure) { return try await work(attempt) } catch {
                guard error.isTransient, !Task.isCancelled else { throw error }
                await backup.pause.wait(attempt: attempt)
            }
        }
        return try await work(attempts)
    }

    private func inspect(
        _ file: ScannedFile, _ dates: FolderDates?
    ) async throws(BackupFailure) -> BackupStep.Result {
        let start = backup.now()
        switch try await source.read(file, buffers: buffers, dates: dates, report: report) {
        case .media(let file, let inspection):
            return .inspected(file, inspection, isAtRest: inspection.fingerprint.isAtRest(at: start))
        case .leftOut(let reason, let fingerprint):
            return .leftOut(reason, fingerprint, isAtRest: fingerprint.isAtRest(at: start))
        }
    }

    /// Uploads a photo and then its thumbnail. A photo that the store refuses leaves no thumbnail.
    private func upload(
        _ file: ScannedFile, _ inspection: FileInspection
    ) async throws(BackupFailure) -> BackupStep.Result {
        if let deferred = backup.deferred {
            try await uploadPhoto(file, inspection) { body throws(ObjectStoreError) in
                let entry = CatalogEntry(
                    path: file.path, md5: inspection.md5, size: inspection.fingerprint.size,
                    modified: inspection.fingerprint.modified, type: file.type, media: inspection.facts)
                try await deferred.add(entry, body)
            }
            return .deferred(inspection)
        }
        // Made before the upload, because this detects a file that changed.
        let product = try await makeThumbnail(file, inspection)
        let isNew = try await withRetries { attempt async throws(BackupFailure) in
            // After a lost response the content may be stored already.
            if attempt > 1, try await checkStored(inspection) != .missing { return false }
            try await uploadPhoto(file, inspection) { body throws(ObjectStoreError) in
                let attributes = ["content-type": file.type.description, "content-md5": inspection.md5.base64]
                try await backup.store.write(key(of: inspection), body, attributes: attributes, if: .always)
            }
            return true
        }
        // A cancellation does not leave a stored photo without its thumbnail.
        let stored = Task { () async throws(BackupFailure) in
            try await withRetries { _ async throws(BackupFailure) in try await storeThumbnail(product, of: inspection) }
        }
        let outcome = try? await stored.value
        // A thumbnail that could not be stored gives the same facts later.
        return .stored(inspection.with(product.facts), isNew: isNew, outcome ?? .notMade)
    }

    private func uploadPhoto(
        _ file: ScannedFile, _ inspection: FileInspection,
        _ write: (ObjectBody) async throws(ObjectStoreError) -> Void
    ) async throws(BackupFailure) {
        do {
            try await write(body(of: file, inspection))
        } catch {
            if case .bodyFailed = error { try await source.checkReadable(file) }
            throw error == .digestMismatch ? .changedWhileRead : .store(error)
        }
    }

    private func checkStored(_ inspection: FileInspection) async throws(BackupFailure) -> StoredContentCheck.Finding {
        let check = StoredContentCheck(store: backup.store, verifiesStoredBytes: backup.settings.verifiesStoredBytes)
        do {
            return try await check.check(
                inspection.md5, size: inspection.fingerprint.size, at: key(of: inspection))
        } catch { throw .store(error) }
    }

    private func makeThumbnail(
        _ file: ScannedFile, _ inspection: FileInspection
    ) async throws(BackupFailure) -> ThumbnailStep.Product {
        guard let path = source.localPath(of: file) else {
            let pictures = SourcePictures(
                source: source, step: backup.thumbnails, folder: backup.picturesFolder,
                longestFile: backup.settings.pictureCopyLimit)
            return try await pictures.make(file, inspection)
        }
        guard let thumbnails = backup.thumbnails else { return .nothing(.none) }
        return try await thumbnails.make(path, inspection, type: file.type)
    }

    private func storeThumbnail(
        _ product: ThumbnailStep.Product, of inspection: FileInspection
    ) async throws(BackupFailure) -> ThumbnailStep.Outcome {
        try await ThumbnailStep.store(product, of: inspection, in: backup.store, backup.user)
    }

    private func body(of file: ScannedFile, _ inspection: FileInspection) -> ObjectBody {
        if let buffered = inspection.bufferedFile { return ObjectBody(buffered.bytes) }
        let (report, size) = (report, inspection.fingerprint.size)
        return source.body(of: file, inspection) { report(.sent(file.path, bytes: $0, of: size)) }
    }

    private func key(of inspection: FileInspection) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(backup.user, md5: inspection.md5.description))
    }
}

/// The slots and the memory of running steps.
struct TransferSlots: Sendable {
    /// HEAD requests allowed per transfer slot.
    private static let headRequestsPerTransfer = 3

    private let settings: BackupSettings
    /// Buffered files and streamed files have separate budgets, so that neither kind waits for the other.
    private var buffered: MemoryBudget
    private var streamed: MemoryBudget
    private var transfers = 0
    private var headRequests = 0

    init(_ settings: BackupSettings) {
        self.settings = settings
        buffered = MemoryBudget(settings.bufferedBytes)
        streamed = MemoryBudget(settings.streamedBytes)
    }

    /// - Parameter limit: The current number of transfer slots.
    func isAvailable(limit: Int) -> Bool {
        transfers < limit && headRequests < limit * Self.headRequestsPerTransfer
    }

    func hasMemory(for step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.canReserve(for: bytes) : buffered.canReserve(for: bytes)
    }

    /// Reserves slot and memory of a step; returns whether the memory was available.
    mutating func acquire(_ step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        guard step.isStreamed ? streamed.reserve(bytes) : buffered.reserve(bytes) else { return false }
        if step.isHeadRequest(settings) { headRequests += 1 } else { transfers += 1 }
        return true
    }

    mutating func release(_ step: BackupStep) {
        let bytes = step.bytesInMemory(settings)
        if step.isStreamed { streamed.release(bytes) } else { buffered.release(bytes) }
        if step.isHeadRequest(settings) { headRequests -= 1 } else { transfers -= 1 }
    }
}

/// A limit for the bytes that are in memory at the same time.
struct MemoryBudget: Sendable {
    private let limit: Int
    private var used = 0

    init(_ limit: Int) { self.limit = limit }

    /// Returns whether the bytes fit into the budget. If nothing else is in use, any number fits.
    func canReserve(for bytes: Int) -> Bool { used == 0 || used + bytes <= limit }

    /// Reserves bytes, if they fit.
    mutating func reserve(_ bytes: Int) -> Bool {
        guard canReserve(for: bytes) else { return false }
        used += bytes
        return true
    }

    mutating func release(_ bytes: Int) { used -= bytes }
}
