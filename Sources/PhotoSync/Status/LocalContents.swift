import PhotoCatalog

/// The contents of a folder's files as far as they are needed: from the journal of the last backup, or by reading.
struct LocalContents: Sendable {
    private(set) var digests: [LibraryPath: ContentDigest] = [:]
    /// The number of files that were read.
    private(set) var readFiles = 0
    private(set) var problems: [ScanProblem] = []
    /// Files that changed while they were read, and were not backed up by any backup.
    private(set) var changed: [LibraryPath] = []
    /// Files that turned out not to belong to the library.
    private(set) var leftOut: [LeftOutFile] = []

    /// The number of files that are read in parallel.
    private static let parallelFiles = 4

    /// - Parameters:
    ///   - dates: Determines the capture dates of files that are read. If `nil`, dates are not determined.
    ///   - onInspection: Called with the result for each file that was read.
    ///   - matters: Returns whether contents of this length in bytes are relevant; other files are not read.
    static func read(
        _ files: [ScannedFile], from source: any FileSource, journal: BackupJournal, dates: OpenFolderDates? = nil,
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
            totalFiles: unread.count, totalBytes: unread.reduce(0) { $0 + $1.knownSize })
        await withTaskGroup(of: (ScannedFile, Result<FileReading, BackupFailure>).self) { group in
            var remaining = unread[...]
            var running = 0
            while true {
                while running < parallelFiles, !Task.isCancelled, let file = remaining.popFirst() {
                    let dates = open?.dates(of: file)
                    group.addTask { (file, await reading(of: file, from: source, dates)) }
                    running += 1
                }
                guard let (file, result) = await group.next() else { break }
                running -= 1
                open?.close(file)
                contents.record(file, result)
                if case .success(.media(let file, let inspection)) = result { onInspection(file, inspection) }
                progress.finishedFiles += 1
                progress.finishedBytes += file.knownSize
                report(progress)
            }
        }
        if Task.isCancelled { throw .cancelled }
        return contents
    }

    private static func reading(
        of file: ScannedFile, from source: any FileSource, _ dates: FolderDates?
    ) async -> Result<FileReading, BackupFailure> {
        do throws(BackupFailure) {
            return .success(try await source.read(file, buffers: nil, dates: dates) { _ in })
        } catch {
            return .failure(error)
        }
    }

    private mutating func record(_ file: ScannedFile, _ result: Result<FileReading, BackupFailure>) {
        switch result {
        case .success(.media(_, let inspection)):
            digests[file.path] = inspection.md5
            readFiles += 1
        case .success(.leftOut(let reason, _)): leftOut.append(LeftOutFile(path: file.path, reason: reason))
        case .failure(.file(let error)):
            problems.append(ScanProblem(path: file.path.description, reason: .file(error)))
        case .failure(.source(let error)):
            problems.append(ScanProblem(path: file.path.description, reason: .source(error)))
        case .failure: changed.append(file.path)
        }
    }
}

/// The progress of reading files, from a folder or from the store.
package struct ReadingProgress: Sendable, Equatable {
    package var totalFiles: Int
    package let totalBytes: Int64
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
    package var failedFiles = 0
}
