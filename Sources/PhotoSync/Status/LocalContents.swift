import PhotoCatalog

/// The contents of a folder's files as far as they are needed: from the journal of the last backup, or by reading.
struct LocalContents: Sendable {
    private(set) var digests: [LibraryPath: ContentDigest] = [:]
    /// The number of files that were read.
    private(set) var readFiles = 0
    private(set) var problems: [ScanProblem] = []
    /// Files that changed while they were read, and were not backed up by any backup.
    private(set) var changed: [LibraryPath] = []

    /// The number of files that are read in parallel.
    private static let parallelFiles = 4

    /// - Parameters:
    ///   - dates: Determines the capture dates of files that are read. If `nil`, dates are not determined.
    ///   - onInspection: Called with the result for each file that was read.
    ///   - matters: Returns whether contents of this length in bytes are relevant; other files are not read.
    static func read(
        _ files: [ScannedFile], root: String, journal: BackupJournal, dates: OpenFolderDates? = nil,
        report: @escaping @Sendable (ReadingProgress) -> Void,
        onInspection: (ScannedFile, FileInspection) -> Void = { _, _ in }, matters: (Int64) -> Bool
    ) async throws(FileError) -> LocalContents {
        var contents = LocalContents()
        var unread: [ScannedFile] = []
        for file in files {
            if let known = journal.unchanged(file.path, file.fingerprint) {
                contents.digests[file.path] = known.md5
            } else if matters(file.fingerprint.size) {
                unread.append(file)
            }
        }
        var open = dates
        open?.open(files, reading: unread)
        var progress = ReadingProgress(
            totalFiles: unread.count, totalBytes: unread.reduce(0) { $0 + $1.fingerprint.size })
        await withTaskGroup(of: (ScannedFile, Result<FileInspection, BackupFailure>).self) { group in
            var remaining = unread[...]
            var running = 0
            while true {
                while running < parallelFiles, !Task.isCancelled, let file = remaining.popFirst() {
                    let dates = open?.dates(of: file)
                    group.addTask { (file, await inspection(of: file, root: root, dates)) }
                    running += 1
                }
                guard let (file, result) = await group.next() else { break }
                running -= 1
                open?.close(file)
                contents.record(file, result)
                if case .success(let inspection) = result { onInspection(file, inspection) }
                progress.finishedFiles += 1
                progress.finishedBytes += file.fingerprint.size
                report(progress)
            }
        }
        if Task.isCancelled { throw .cancelled }
        return contents
    }

    private static func inspection(
        of file: ScannedFile, root: String, _ dates: FolderDates?
    ) async -> Result<FileInspection, BackupFailure> {
        do throws(BackupFailure) {
            return .success(try await FileInspection.read(file, in: root, dates: dates))
        } catch {
            return .failure(error)
        }
    }

    private mutating func record(_ file: ScannedFile, _ result: Result<FileInspection, BackupFailure>) {
        switch result {
        case .success(let inspection):
            digests[file.path] = inspection.md5
            readFiles += 1
        case .failure(.file(let error)):
            problems.append(ScanProblem(path: file.path.description, reason: .file(error)))
        case .failure: changed.append(file.path)
        }
    }
}

/// The progress of reading files, from a folder or from the store.
package struct ReadingProgress: Sendable, Equatable {
    package let totalFiles: Int
    package let totalBytes: Int64
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
    package var failedFiles = 0
}
