import Foundation

/// Files that a sync put into the folder. That they are there is remembered once the disk has them; until then they are
/// announced. It knows their contents, so the next backup need not read them; but only once they are at rest, for a change
/// in the moment after they were written would not show.
struct PlacedFiles: Sendable {
    private let folder: FolderHandle
    private let memory: SyncMemory
    private let journal: BackupJournal
    private let now: @Sendable () -> Date
    private let flush: @Sendable (FolderHandle) throws(FileError) -> Void
    private var rows: [SyncRow] = []
    private var young: [(file: ScannedFile, entry: CatalogEntry)] = []
    private static let batch = 256
    /// The coarsest clock that file systems keep dates by, in seconds.
    private static let tick: Int64 = 2

    init(_ run: SyncRun) {
        (folder, memory, journal) = (run.folder, run.memory, run.opened.journal)
        (now, flush) = (run.sync.backup.now, run.sync.flush)
    }

    /// Notes that a file is there.
    /// - Parameter modified: the date that it was given.
    mutating func note(_ file: SyncedFile, _ entry: CatalogEntry, modified: Timestamp) {
        rows.append(.inSync(file))
        // Somebody may have changed it since it got its name.
        guard let stamp = stamp(of: file.path), stamp.size == entry.size, Self.isSame(stamp.modified, modified) else {
            return
        }
        young.append((ScannedFile(path: file.path, stamp: stamp, type: entry.type), entry))
        if young.count.isMultiple(of: Self.batch) { rememberContents() }
    }

    /// So many are remembered together: a first sync of a large library takes days, and may be killed at any moment.
    var areEnough: Bool { rows.count >= 1000 }

    /// Nothing is at a path any more that was announced there.
    mutating func noteGone(_ path: LibraryPath) { rows.append(.gone(path)) }

    /// Remembers all of them.
    /// - Throws: when the disk does not take them. Not remembered, they are found to be the same by the next sync.
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

    /// Remembers the contents of those that nobody has touched since, and that are at rest by now.
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
