import Foundation
import PhotoCatalog

/// The files that a sync placed in the folder. They are recorded as in sync once they are flushed to disk; until then
/// they are only announced. Their contents are recorded in the journal, so that the next backup need not read them, but
/// only once they are at rest: a change right after the write would not be visible in the fingerprint.
struct PlacedFiles: Sendable {
    private let folder: FolderHandle
    private let syncState: SyncState
    private let journal: BackupJournal
    private let now: @Sendable () -> Date
    private let flush: @Sendable (FolderHandle) throws(FileError) -> Void
    private var rows: [SyncRow] = []
    private var recentFiles: [(file: ScannedFile, entry: CatalogEntry)] = []
    private static let batch = 256
    /// The coarsest resolution of file dates, in seconds.
    private static let tick: Int64 = 2

    init(
        folder: FolderHandle, syncState: SyncState, journal: BackupJournal, now: @escaping @Sendable () -> Date,
        flush: @escaping @Sendable (FolderHandle) throws(FileError) -> Void
    ) {
        (self.folder, self.syncState, self.journal) = (folder, syncState, journal)
        (self.now, self.flush) = (now, flush)
    }

    /// Records that a file was placed.
    /// - Parameter modified: The modification date that was set.
    mutating func record(_ file: SyncedFile, _ entry: CatalogEntry, modified: Timestamp) {
        rows.append(.inSync(file))
        // The file may have been changed since it was placed.
        guard let fingerprint = self.fingerprint(of: file.path), fingerprint.size == entry.size,
            Self.isSame(fingerprint.modified, modified)
        else {
            return
        }
        recentFiles.append((ScannedFile(path: file.path, fingerprint: fingerprint, type: entry.type), entry))
        if recentFiles.count.isMultiple(of: Self.batch) { saveContents() }
    }

    /// Whether enough files are pending to be stored together: the first sync of a large library may take days and be
    /// killed at any time.
    var isBatchFull: Bool { rows.count >= 1000 }

    /// Records that an announced file is not at its path.
    mutating func recordRemoval(_ path: LibraryPath) { rows.append(.removed(path)) }

    /// Flushes the folder and stores all pending records.
    /// - Throws: If they cannot be written. The next sync then finds the files to be equal.
    mutating func save() async throws(SyncError) {
        saveContents()
        guard !rows.isEmpty else { return }
        let (folder, syncState, flush, rows) = (folder, syncState, flush, rows)
        self.rows = []
        do throws(FileError) { try await FileWork.run { () throws(FileError) in try flush(folder) } } catch {
            throw SyncError(folder: error)
        }
        do throws(FileError) { try await FileWork.run { () throws(FileError) in try syncState.write(rows) } } catch {
            throw SyncError(state: error, at: syncState.path)
        }
    }

    /// Records the contents of files that are unchanged and at rest by now.
    private mutating func saveContents() {
        let moment = now()
        let rested = recentFiles.filter { $0.file.fingerprint.isAtRest(at: moment) }
        recentFiles.removeAll { $0.file.fingerprint.isAtRest(at: moment) }
        for (file, entry) in rested where fingerprint(of: file.path) == file.fingerprint {
            journal.record(file, FileInspection(fingerprint: file.fingerprint, md5: entry.md5, facts: entry.media))
            journal.markCommitted(file.path, entry.md5, isOwnAddition: false)
        }
    }

    private func fingerprint(of path: LibraryPath) -> FileFingerprint? {
        (try? folder.descend(path.folders, makes: false)).flatMap { try? $0.fingerprint(of: path.name) }
    }

    private static func isSame(_ one: Timestamp, _ other: Timestamp) -> Bool {
        let (difference, isFar) = one.seconds.subtractingReportingOverflow(other.seconds)
        return !isFar && (-tick...tick).contains(difference)
    }
}
