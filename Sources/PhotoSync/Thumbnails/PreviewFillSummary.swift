import ObjectStorage
import PhotoCatalog

/// The reason why a run could not begin.
package enum PreviewFillError: Error, Sendable {
    case selection(SelectionError)
    case store(ObjectStoreError)
    /// Another run uses the folder.
    case underWay
    /// The folder cannot be used.
    case folder(FileError)
}

/// The reason why a content has no preview.
package enum PreviewFillFailure: Error, Sendable {
    case original(RestoreFailure)
    case tool(ThumbnailError)
    /// The tool makes nothing of correct files either.
    case brokenTool(PictureToolFailure)
    /// The tool was not tried, because the video does not say where its frames are.
    case noStructure
    case upload(ObjectStoreError)

    /// Whether the file of which pictures were to be made is damaged or missing.
    var isDamage: Bool {
        switch self {
        case .original(let failure): failure.isDamage
        case .tool(let error): error == .notMade
        case .brokenTool, .noStructure, .upload: false
        }
    }
}

/// The results of a run.
package struct PreviewFillSummary: Sendable {
    package var ending: TransferEnding
    package var progress = ReadingProgress(totalFiles: 0, totalBytes: 0)
    /// The number of contents without a picture that they are to have, or with a damaged preview, and how many of these were
    /// stored.
    package private(set) var (missing, made) = (0, 0)
    /// The number of contents whose thumbnails are to be replaced, and how many were; `nil` if they were not looked for.
    package private(set) var (outdated, renewed) = (Int?.none, 0)
    private(set) var stored: Set<ContentDigest> = []
    /// The versions of thumbnails that were stored.
    private(set) var storedThumbnails: Set<ContentDigest> = []
    /// The number of contents that had all pictures, or of which no more are made, and whose color was added to the catalog, for
    /// one of their paths or all.
    package var colored = 0
    /// Contents of which nothing is made by another attempt.
    private(set) var unmade: Set<ContentDigest> = []
    /// The number of other contents of which a camera or a duration was added to the catalog, for one of their paths or all.
    package var described = 0
    /// The number of contents whose camera or duration was not read because they are archived.
    package var archivedDetails = 0
    /// The number of contents of which an earlier run could make nothing, and that were not tried again.
    package var skipped = 0
    /// The number of contents without pictures, of which the tool makes some only with a program that is not installed.
    package var lackingProgram = 0
    /// Why the run stopped: the tool makes nothing of correct files.
    package var toolFailure: PictureToolFailure?
    /// Contents of which the tool made no picture, each with its first path.
    package var notMade: [LibraryPath] = []
    /// Contents that are archived, each with its first path.
    package var archived: [LibraryPath] = []
    /// Contents that could not be read or whose pictures could not be stored, each with its first path.
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []

    package init(ending: TransferEnding = .completed) { self.ending = ending }

    mutating func record(_ entry: CatalogEntry, _ outcome: PreviewFill.Outcome, _ streak: inout FailureStreak) {
        progress.finishedFiles += 1
        progress.finishedBytes = progress.finishedBytes.addingCapped(entry.size)
        switch outcome {
        case .made(_, let thumbnail):
            stored.insert(entry.md5)
            if let thumbnail { storedThumbnails.insert(thumbnail) }
            streak.recordStored()
        case .failed(.tool(let error)):
            notMade.append(entry.path)
            if error != .missing, error != .cancelled { unmade.insert(entry.md5) }
            streak.reset()
        case .failed(.noStructure):
            notMade.append(entry.path)
            unmade.insert(entry.md5)
            streak.reset()
        case .failed(.brokenTool(let failure)):
            toolFailure = failure
            streak.reset()
        case .failed(.original(.archived)):
            archived.append(entry.path)
            streak.reset()
        case .failed(.original(let failure)): fail(entry, failure, &streak)
        case .failed(.upload(let error)): fail(entry, .store(error), &streak)
        }
    }

    /// Counts what was to be made, and how much of it was stored.
    mutating func count(missing: Set<ContentDigest>, outdated: Set<ContentDigest>?) {
        (self.missing, made) = (missing.count, missing.intersection(stored).count)
        (self.outdated, renewed) = (outdated?.count, outdated?.intersection(stored).count ?? 0)
    }

    private mutating func fail(_ entry: CatalogEntry, _ failure: RestoreFailure, _ streak: inout FailureStreak) {
        progress.failedFiles += 1
        failures.append((entry.path, failure))
        switch failure {
        case .store(let error):
            if let reason = streak.reasonToStop(after: error) { ending = .stopped(reason) }
        case .file(.outOfSpace): ending = .stopped(.folder(.outOfSpace))
        case .file, .notStored, .contentMismatch, .archived: streak.reset()
        }
    }
}
