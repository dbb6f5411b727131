/// What a backup did, for the person who started it.
package struct BackupSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = BackupProgress()
    package var failures: [(path: LibraryPath, failure: BackupFailure)] = []
    package var problems: [ScanProblem] = []
    /// Files that are safe and were to be read back, which could not be done because the store has them in an archive; one
    /// for each content.
    package var archived: [LibraryPath] = []
    package var conflicts: [CatalogConflict] = []
    package var leftOut: [LeftOutFile] = []
    package var thumbnails = ThumbnailCount()
    package var clashes: [NameClash] = []
    /// Entries in the catalog afterwards; `nil` where a large catalog was not read to count them.
    package var catalogEntries: Int?

    /// Whether every photo and video that was found is safe.
    package var isComplete: Bool { ending == .completed && failures.isEmpty && problems.isEmpty }

    /// Judges a backup of chosen files by those alone: what was not found of them failed, and what could not be looked at
    /// matters if it is one of them or above one.
    mutating func judge(_ wanted: Set<LibraryPath>, missing: Set<LibraryPath>) {
        var places = wanted
        for path in wanted { places.formUnion(path.upperFolders.prefix { !places.contains($0) }) }
        problems.removeAll { problem in LibraryPath(problem.path).map { !places.contains($0) } ?? true }
        failures += missing.sorted().map { ($0, .file(.missing)) }
    }

    /// The same with what was sent before a purge made the backup begin again.
    /// - Parameter makesMissingThumbnails: whether this one tried again what the earlier one could not make.
    func following(_ earlier: BackupSummary?, makesMissingThumbnails: Bool) -> BackupSummary {
        guard let earlier else { return self }
        var all = self
        all.progress.uploadedFiles += earlier.progress.uploadedFiles
        all.progress.uploadedBytes += earlier.progress.uploadedBytes
        all.progress.alreadyStoredFiles = max(0, progress.alreadyStoredFiles - earlier.progress.uploadedFiles)
        all.thumbnails.stored += earlier.thumbnails.stored
        if !makesMissingThumbnails { all.thumbnails.notMade += earlier.thumbnails.notMade }
        all.conflicts = earlier.conflicts + conflicts
        guard ending != .completed else { return all }
        // What it did not come to is as the earlier one left it.
        let tried = Set(failures.map(\.path))
        all.failures += earlier.failures.filter { !tried.contains($0.path) }
        all.problems += earlier.problems.filter { !problems.contains($0) }
        return all
    }

    /// The same, when it could not be begun again.
    func ended(by error: BackupError) -> BackupSummary {
        var ended = self
        switch error {
        case .cancelled: ended.ending = .cancelled
        case .folder(let error): ended.ending = .stopped(.folder(error))
        case .catalog(let error): ended.ending = .stopped(.catalog(error))
        case .store(let error): ended.ending = .stopped(.catalog(.store(error)))
        }
        return ended
    }

    /// Brings what was found while walking into the order of the paths, of what was left out first what is named like a photo
    /// or video.
    mutating func sort() {
        problems.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        leftOut.sort { ($0.reason == .unknownFormat ? 0 : 1, $0.path) < ($1.reason == .unknownFormat ? 0 : 1, $1.path) }
        clashes.sort { $0.paths[0] < $1.paths[0] }
    }
}

/// How many thumbnails a backup made.
package struct ThumbnailCount: Sendable, Equatable {
    package var stored = 0
    /// Photos of which the tool made none.
    package var notMade = 0

    mutating func count(_ outcome: ThumbnailStep.Outcome) {
        switch outcome {
        case .stored: stored += 1
        case .notMade: notMade += 1
        case .none: return
        }
    }
}
