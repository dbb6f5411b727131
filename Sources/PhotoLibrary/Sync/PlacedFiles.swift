import Foundation

/// The files that a sync placed in the folder. They are recorded as in sync once they are flushed to disk; until then
/// they are only announced. Their contents are recorded in the journal, so that the next backup need not read them, but
/// only once they are at rest: a change right after the write would not be visible in the fingerprint.
struct PlacedFiles: Sendable {
    private let folder: FolderHandle
    private let memory: SyncMemory
    private let journal: BackupJournal
    private let now: @Sendable () -> Date
    private let flush: @Sendable (FolderHandle) throws(FileError) -> Void
    private var rows: [SyncRow] = []
    private var young: [(file: ScannedFile, entry: CatalogEntry)] = []
    private static let batch = 256
    /// The coarsest resolution of file dates, in seconds.
    private static let tick: Int64 = 2

    init(_ run: SyncRun) {
        (folder, memory, journal) = (run.folder, run.memory, run.opened.journal)
        (now, flush) = (run.sync.backup.now, run.sync.flush)
    }

    /// Records that a file was placed.
    /// - Parameter modified: The modification date that was set.
    mutating func note(_ file: SyncedFile, _ entry: CatalogEntry, modified: Timestamp) {
        rows.append(.inSync(file))
        // The file may have been changed since it was placed.
        guard let stamp = stamp(of: file.path), stamp.size == entry.size, Self.isSame(stamp.modified, modified) else {
            return
        }
        young.append((ScannedFile(path: file.path, stamp: stamp, type: entry.type), entry))
        if young.count.isMultiple(of: Self.batch) { rememberContents() }
    }

    /// Whether enough files are pending to be stored together: the first sync of a large library may take days and be
    /// killed at any time.
    var areEnough: Bool { rows.count >= 1000 }

    /// Records that an announced file is not at its path.
    mutating func noteGone(_ path: LibraryPath) { rows.append(.gone(path)) }

    /// Flushes the folder and stores all pending records.
    /// - Throws: If they cannot be written. The next sync then finds the files to be equal.
    mutating func remember() async throws(FileError) {
        rememberContents()
        guard !rows.isEmpty else { return }
        let (folder, memory, flush, rows) = (folder, memory, flush, rows)
        self.rows = []
        try await FileWork.run { () throws(FileError) in
            try flush(folder)
            try memory.write(rows)
        }
    }

    /// Records the contents of files that are unchanged and at rest by now.
    private mutating func rememberContents() {
        let moment = now()
        let rested = young.filter { $0.file.stamp.isAtRest(at: moment) }
        young.removeAll { $0.file.stamp.isAtRest(at: moment) }
        for (file, entry) in rested where stamp(of: file.path) == file.stamp {
            journal.record(file, FileInspection(stamp: file.stamp, md5: entry.md5, facts: entry.media, held: nil))
            journal.markCommitted(file.path, entry.md5, isBrought: false)
        }
    }

    private func stamp(of path: LibraryPath) -> FileStamp? {
        (try? folder.descend(path.folders, makes: false)).flatMap { try? $0.stamp(of: path.name) }
    }

    private static func isSame(_ one: Timestamp, _ other: Timestamp) -> Bool {
        let (difference, isFar) = one.seconds.subtractingReportingOverflow(other.seconds)
        return !isFar && (-tick...tick).contains(difference)
    }
}
