import ObjectStorage
import PhotoCatalog

/// The plan stage of a backup: determines the next step for each file whose content is known. Files with the same
/// content share one transfer.
struct BackupPlanner {
    typealias InspectedFile = (file: ScannedFile, inspection: FileInspection)

    private var storedContents: StoredContents
    /// Loaded only if missing thumbnails are to be made.
    private var storedPictures: StoredPictures?
    private let thumbnails: ThumbnailStep?
    /// The contents of local files that this backup read, unless pictures are loaded: whether it has made or examined their
    /// pictures. Files that it does not read have none made.
    private var readContents: [ContentDigest: Bool] = [:]
    /// Files whose content is being checked or uploaded for another file.
    private var duplicates: [ContentDigest: [InspectedFile]] = [:]
    /// Steps that run before the next file: remaining steps for files with known content, and second attempts.
    private var readySteps: [BackupStep] = []
    /// The number of large files that may wait for memory while others proceed. It is low, so that the page cache still
    /// has what was read.
    private static let maximumReadySteps = 4

    /// Determines what is stored. Reads at most one page of the photos' listing, and all of the thumbnails' listing if
    /// missing thumbnails are to be made.
    init(_ backup: Backup, catalog: Catalog?, journal: BackupJournal) async throws(ObjectStoreError) {
        let settings = backup.settings
        thumbnails = backup.thumbnails
        if backup.thumbnails != nil, settings.makesMissingThumbnails {
            storedPictures = try await .load(from: backup.store, user: backup.user)
        }
        storedContents = try await .load(
            from: backup.store, user: backup.user, catalog: catalog, journal: journal,
            checks: settings.checkCount(isFirstOfDay: journal.checkedDay != backup.today), date: backup.now()
        )
    }

    var isEmpty: Bool { readySteps.isEmpty }

    /// Whether another file may be planned before the ready steps have started.
    var acceptsFiles: Bool { readySteps.count < Self.maximumReadySteps }

    mutating func append(_ step: BackupStep) {
        if case .upload(let inspection) = step.work { readContents[inspection.md5] = true }
        readySteps.append(step)
    }

    /// Records that a local file was read, so that its content gets pictures if it is stored without them.
    mutating func recordRead(_ content: ContentDigest) {
        guard storedPictures == nil else { return }
        readContents[content] = readContents[content] ?? false
    }

    /// Removes the last ready step that can start.
    mutating func nextReadyStep(in transfers: BackupTransfers) -> BackupStep? {
        readySteps.lastIndex { !$0.isStreamed || transfers.hasMemory(for: $0) }.map { readySteps.remove(at: $0) }
    }

    /// Plans the next step of a file whose content is known.
    /// - Parameter isCommitted: Whether the content is already committed for the file.
    /// - Returns: Whether no step is left, because content and thumbnail are stored.
    mutating func plan(
        _ file: ScannedFile, _ inspection: FileInspection, attempt: Int, isCommitted: @autoclosure () -> Bool
    ) -> Bool {
        let isStored = storedContents.contains(
            inspection.md5, size: inspection.fingerprint.size, isCommitted: isCommitted())
        if isStored == true { return !planThumbnail(file, inspection, attempt: attempt) }
        if duplicates[inspection.md5] != nil {
            duplicates[inspection.md5]?.append((file, inspection.withoutBytes))
        } else {
            duplicates[inspection.md5] = []
            let work: BackupStep.Work =
                isStored == nil
                ? .checkStored(inspection, isKnown: storedContents.isKnown(inspection.md5)) : .upload(inspection)
            append(BackupStep(file: file, attempt: attempt, work: work))
        }
        return false
    }

    /// Plans the thumbnail and the preview of a file whose content is stored.
    /// - Returns: Whether one of them is missing, or is to be looked up.
    mutating func planThumbnail(_ file: ScannedFile, _ inspection: FileInspection, attempt: Int) -> Bool {
        if storedPictures == nil {
            guard readContents[inspection.md5] == false else { return false }
            readContents[inspection.md5] = true
            guard let maker = thumbnails?.maker, maker.canMake(file.type) || maker.lacksProgram(for: file.type)
            else { return false }
            append(BackupStep(file: file, attempt: attempt, work: .makeThumbnailIfMissing(inspection.withoutBytes)))
            return true
        }
        let withPreview =
            thumbnails?.wantsPreview(file.type, size: inspection.fingerprint.size, inspection.facts) ?? false
        guard storedPictures?.insert(inspection.md5, withPreview: withPreview) == true else { return false }
        append(BackupStep(file: file, attempt: attempt, work: .makeThumbnail(inspection.withoutBytes)))
        return true
    }

    mutating func recordStored(_ inspection: FileInspection) {
        storedContents.insert(inspection.md5, size: inspection.fingerprint.size)
    }

    /// Returns the files that waited for a content, once its check or upload has ended.
    mutating func popDuplicates(of inspection: FileInspection) -> [InspectedFile] {
        duplicates.removeValue(forKey: inspection.md5) ?? []
    }

    /// Adds the contents of the catalog, once it is loaded.
    mutating func useCatalog(_ catalog: Catalog?) { storedContents.useCatalog(catalog) }
}

/// One unit of a backup's parallel work on one file.
struct BackupStep: Sendable {
    let file: ScannedFile
    /// The number of the attempt for this file: 1 or 2.
    let attempt: Int
    let work: Work

    enum Work: Sendable {
        /// A read of the file. The associated value finds its date among those of its folder.
        case inspect(FolderDates?)
        /// A HEAD request for the content; `isKnown` if the content was stored once.
        case checkStored(FileInspection, isKnown: Bool)
        case upload(FileInspection)
        /// The thumbnail and the preview of a stored photo.
        case makeThumbnail(FileInspection)
        /// A HEAD request for the thumbnail of a stored photo and, if there is none, the thumbnail and the preview.
        case makeThumbnailIfMissing(FileInspection)

        /// The content that the step checks or uploads, on behalf of all files that have it.
        var content: FileInspection? {
            switch self {
            case .checkStored(let inspection, _), .upload(let inspection): inspection
            case .inspect, .makeThumbnail, .makeThumbnailIfMissing: nil
            }
        }

        /// The stored content of which the step only makes pictures.
        var picturedContent: FileInspection? {
            switch self {
            case .makeThumbnail(let inspection), .makeThumbnailIfMissing(let inspection): inspection
            case .inspect, .checkStored, .upload: nil
            }
        }
    }

    enum Result: Sendable {
        /// `isAtRest`: any later write changes the fingerprint.
        case inspected(ScannedFile, FileInspection, isAtRest: Bool)
        /// The bytes do not belong to the library.
        case leftOut(LeftOutFile.Reason, FileFingerprint, isAtRest: Bool)
        case notStored(FileInspection)
        case stored(FileInspection, isNew: Bool, ThumbnailStep.Outcome)
        /// The content is stored but archived, so it could not be read back.
        case archived(FileInspection)
        /// The content is uploaded later.
        case deferred(FileInspection)
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
            if file.isSizeKnown, file.fingerprint.size <= Int64(settings.bufferedFileLimit) {
                Int(file.fingerprint.size)
            } else {
                file.isSequential
                    ? max(settings.bufferedFileLimit, AssetContent.bytesInMemory) : FileInspection.pieceLength
            }
        case .checkStored(let inspection, _):
            max(
                inspection.bufferedFile?.bytes.readableBytes ?? 0,
                settings.verifiesStoredBytes ? FileInspection.pieceLength : 0)
        case .makeThumbnail, .makeThumbnailIfMissing:
            Thumbnail.sizeLimit + (settings.previewQuality == nil ? 0 : Preview.sizeLimit)
        case .upload(let inspection):
            inspection.bufferedFile?.bytes.readableBytes ?? settings.bytesToStream(fileOf: inspection.fingerprint.size)
        }
    }
}
