import PhotoCatalog

/// The results of a backup.
package struct BackupSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = BackupProgress()
    /// The number of files whose content was stored already and whose path was added to the library; 0 if a large catalog
    /// was not loaded.
    package var addedFiles = 0
    package var failures: [(path: LibraryPath, failure: BackupFailure)] = []
    package var problems: [ScanProblem] = []
    /// Files that are stored but could not be read back because the store has archived them; one file per content.
    package var archived: [LibraryPath] = []
    package var conflicts: [CatalogConflict] = []
    package var leftOut: [LeftOutFile] = []
    package var thumbnails = ThumbnailCount()
    package var clashes: [NameClash] = []
    /// Files whose content is in the library's trash at their path, where a backup leaves it, and at no path of the
    /// library; `nil` if a large catalog was not loaded.
    package var filesInTrash: [LibraryPath]?
    /// The number of entries in the catalog afterwards; `nil` if a large catalog was not loaded.
    package var catalogEntries: Int?
    /// Only of a dry run: what would be done, by path. The numbers of `progress` are those of this plan.
    package var planned: [PlannedChange] = []

    /// Whether every photo and video that was found is stored.
    package var isComplete: Bool {
        ending == .completed && failures.isEmpty && problems.isEmpty && progress.deferredFiles == 0
    }

    /// The number of files that were not uploaded because of the quota: those that were refused and, after a stop, those
    /// that were not tried.
    package var filesOverQuota: Int {
        let refused = failures.count { $0.failure == .store(.quotaExceeded) }
        return ending == .stopped(.overQuota) ? refused + progress.totalFiles - progress.finishedFiles : refused
    }

    /// Adds the content of a folder.
    /// - Parameter selected: Those of its files that are backed up.
    mutating func record(_ content: FolderContent, selected: [ScannedFile]) {
        problems += content.problems
        leftOut += content.leftOut
        clashes += content.clashes
        progress.totalFiles += selected.count
        progress.totalBytes += selected.reduce(0) { $0 + $1.knownSize }
    }

    /// Records that a file that was found does not belong to the library.
    mutating func recordLeftOut(_ file: ScannedFile, _ reason: LeftOutFile.Reason) {
        leftOut.append(LeftOutFile(path: file.path, reason: reason))
        progress.totalFiles -= 1
        progress.totalBytes -= file.knownSize
    }

    /// Restricts the summary to the wanted files: those that were not found, do not belong to the library or were
    /// permanently deleted from it count as failures, and scan problems remain only at or above one of them.
    mutating func restrict(to wanted: WantedFiles) {
        problems.removeAll { problem in LibraryPath(problem.path).map { !wanted.concerns($0) } ?? true }
        clashes.removeAll { !$0.paths.contains(where: wanted.paths.contains) }
        let refused = Dictionary(leftOut.map { ($0.path, $0.reason) }, uniquingKeysWith: { $1 })
        leftOut = []
        let unreadable = Set(problems.compactMap { LibraryPath($0.path) })
        let unused = wanted.missing.union(wanted.paths.filter { refused[$0] != nil })
        for path in unused.sorted() where !path.isAtOrBelow(unreadable) {
            let reason = refused[path] ?? path.ancestors.lazy.compactMap { refused[$0] }.first
            failures.append(
                (path, reason.map { .leftOut($0) } ?? .file(wanted.foundFolders.contains(path) ? .wrongKind : .missing))
            )
        }
    }

    /// Adds the results of an earlier pass that was interrupted by a purge.
    /// - Parameter makesMissingThumbnails: Whether this pass retried the thumbnails that the earlier one could not
    ///   make.
    func following(_ earlier: BackupSummary?, makesMissingThumbnails: Bool) -> BackupSummary {
        guard let earlier else { return self }
        var total = self
        total.progress.uploadedFiles += earlier.progress.uploadedFiles
        total.progress.uploadedBytes += earlier.progress.uploadedBytes
        total.addedFiles += earlier.addedFiles
        total.progress.alreadyStoredFiles = max(0, progress.alreadyStoredFiles - earlier.progress.uploadedFiles)
        total.thumbnails.stored += earlier.thumbnails.stored
        total.thumbnails.previews += earlier.thumbnails.previews
        if !makesMissingThumbnails {
            total.thumbnails.notMade = earlier.thumbnails.notMade + thumbnails.notMade
            total.thumbnails.lackingProgram += earlier.thumbnails.lackingProgram
            total.thumbnails.lackingTool += earlier.thumbnails.lackingTool
        }
        total.thumbnails.toolFailure = thumbnails.toolFailure ?? earlier.thumbnails.toolFailure
        total.conflicts = earlier.conflicts + conflicts
        guard ending != .completed else { return total }
        // Files that this pass did not reach keep the result of the earlier pass.
        let tried = Set(failures.map(\.path))
        total.failures += earlier.failures.filter { !tried.contains($0.path) }
        total.problems += earlier.problems.filter { !problems.contains($0) }
        return total
    }

    /// Returns the summary with the error because of which no further pass could run.
    func ended(by error: BackupError) -> BackupSummary {
        var ended = self
        switch error {
        case .cancelled: ended.ending = .cancelled
        case .folder(let error): ended.ending = .stopped(.folder(error))
        case .state(let error, let path): ended.ending = .stopped(.state(error, path: path))
        case .source(let error): ended.ending = .stopped(.source(error))
        case .catalog(let error): ended.ending = .stopped(.catalog(error))
        case .store(let error): ended.ending = .stopped(.catalog(.store(error)))
        }
        return ended
    }

    /// Sorts the results by path. Among left-out files, those of an unknown format come first.
    mutating func sort() {
        problems.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        leftOut.sort { ($0.reason == .unknownFormat ? 0 : 1, $0.path) < ($1.reason == .unknownFormat ? 0 : 1, $1.path) }
        clashes.sort { $0.paths[0] < $1.paths[0] }
    }
}

/// The number of thumbnails and previews that a backup made.
package struct ThumbnailCount: Sendable, Equatable {
    package var stored = 0
    package var previews = 0
    /// Photos that the tool could not make a thumbnail of.
    package var notMade: [LibraryPath] = []
    /// Photos for whose type the tool lacks a program.
    package var lackingProgram = 0
    /// Photos that were uploaded, or found stored without a thumbnail, of which none can be made because the tool is not
    /// installed.
    package var lackingTool = 0
    /// How the tool failed with a correct file; `nil` if it made thumbnails of all files, or of a correct one.
    package var toolFailure: PictureToolFailure?

    mutating func count(_ outcome: ThumbnailStep.Outcome, of path: LibraryPath) {
        switch outcome {
        case .stored(let hasPreview):
            stored += 1
            if hasPreview { previews += 1 }
        case .notMade: notMade.append(path)
        case .lacksProgram: lackingProgram += 1
        case .lacksTool: lackingTool += 1
        case .none: return
        }
    }
}
