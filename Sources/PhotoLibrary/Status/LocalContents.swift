/// The contents of a folder's photos, as far as they matter: remembered from the last backup, else read.
struct LocalContents: Sendable {
    private(set) var digests: [LibraryPath: ContentDigest] = [:]
    private(set) var problems: [ScanProblem] = []

    /// Files read at the same time.
    private static let parallelFiles = 4

    /// - Parameter matters: whether a content of this many bytes is of interest; other files are not read.
    static func read(
        _ files: [ScannedFile], root: String, journal: BackupJournal,
        report: @escaping @Sendable (ReadingProgress) -> Void, matters: (Int64) -> Bool
    ) async throws(FileError) -> LocalContents {
        var contents = LocalContents()
        var unread: [ScannedFile] = []
        for file in files {
            if let known = journal.unchanged(file.path, file.stamp) {
                contents.digests[file.path] = known.md5
            } else if matters(file.stamp.size) {
                unread.append(file)
            }
        }
        var progress = ReadingProgress(totalFiles: unread.count, totalBytes: unread.reduce(0) { $0 + $1.stamp.size })
        await withTaskGroup(of: (ScannedFile, Result<ContentDigest, BackupFailure>).self) { group in
            var rest = unread[...]
            var running = 0
            while true {
                while running < parallelFiles, !Task.isCancelled, let file = rest.popFirst() {
                    group.addTask { (file, await digest(of: file, root: root)) }
                    running += 1
                }
                guard let (file, result) = await group.next() else { break }
                running -= 1
                contents.take(file, result)
                progress.finishedFiles += 1
                progress.finishedBytes += file.stamp.size
                report(progress)
            }
        }
        if Task.isCancelled { throw .cancelled }
        return contents
    }

    private static func digest(of file: ScannedFile, root: String) async -> Result<ContentDigest, BackupFailure> {
        do throws(BackupFailure) {
            return .success(
                try await FileInspection.read("\(root)/\(file.path)", type: file.type, holdingUpTo: 0).md5
            )
        } catch {
            return .failure(error)
        }
    }

    private mutating func take(_ file: ScannedFile, _ result: Result<ContentDigest, BackupFailure>) {
        switch result {
        case .success(let digest): digests[file.path] = digest
        case .failure(.file(let error)):
            problems.append(ScanProblem(path: file.path.description, reason: .file(error)))
        // It is another file by now, which no backup has seen.
        case .failure: return
        }
    }
}

/// How far the reading of a folder's photos is.
package struct ReadingProgress: Sendable, Equatable {
    package let totalFiles: Int
    package let totalBytes: Int64
    package var finishedFiles = 0
    package var finishedBytes: Int64 = 0
}
