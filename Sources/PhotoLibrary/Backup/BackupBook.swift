import Foundation

/// The written side of a backup: what was done and is to go into the catalog, and what this device remembers.
struct BackupBook {
    private let catalogs: CatalogStore
    private let journalFile: String
    private let now: @Sendable () -> Date
    private var version: CatalogStore.Version
    private(set) var journal: BackupJournal
    private var waiting: [CatalogChange] = []
    private var lastCommit: Date
    private(set) var conflicts: [CatalogConflict] = []

    init(
        catalogs: CatalogStore, version: CatalogStore.Version, journal: BackupJournal, journalFile: String,
        now: @escaping @Sendable () -> Date
    ) {
        self.catalogs = catalogs
        self.version = version
        self.journal = journal
        self.journalFile = journalFile
        self.now = now
        lastCommit = now()
    }

    var entries: Int { version.catalog.count }

    /// What is remembered of a file that was not touched since.
    func remembered(_ file: ScannedFile) -> FileInspection? {
        journal.unchanged(file.path, file.stamp).map {
            FileInspection(stamp: file.stamp, md5: $0.md5, taken: $0.taken, held: nil)
        }
    }

    mutating func remember(_ file: ScannedFile, _ inspection: FileInspection) {
        journal.record(file, inspection.stamp, inspection.md5, inspection.taken)
    }

    /// A file whose content is in the store goes into the catalog with the next commit.
    mutating func add(_ file: ScannedFile, _ inspection: FileInspection) {
        let entry = CatalogEntry(
            path: file.path, md5: inspection.md5, size: inspection.stamp.size, modified: inspection.stamp.modified,
            taken: inspection.taken, type: file.type
        )
        if let known = version.catalog[entry.path], known.md5 == entry.md5, known.modified <= entry.modified {
            journal.markCommitted(entry.path, entry.md5)
            return
        }
        waiting.append(CatalogChange(entry: entry, replacing: journal.entries[entry.path]?.committed))
    }

    /// Whether enough waits, or has waited long enough. Both grow with the catalog, so that writing snapshots costs
    /// a bounded share of all that is written.
    func isCommitDue(_ settings: BackupSettings) -> Bool {
        guard !waiting.isEmpty else { return false }
        let patience = settings.commitAfterSeconds * (1 + Double(entries) / 10_000)
        return waiting.count >= max(settings.commitAfterFiles, entries / 4)
            || now().timeIntervalSince(lastCommit) >= patience
    }

    /// Brings what waits into the catalog in the store, then saves what this device remembers. What could not be
    /// committed goes on waiting.
    mutating func commit() async throws(CatalogError) {
        lastCommit = now()
        defer { lastCommit = now() }
        let changes = waiting
        if !changes.isEmpty {
            let committed = try await catalogs.commit(changes, onto: version)
            version = committed.version
            conflicts += committed.conflicts
            waiting = []
            for change in changes { journal.markCommitted(change.entry.path, change.entry.md5) }
        }
        await saveJournal()
    }

    /// Without the state file the next backup only takes longer, so failing to write it is no reason to stop.
    func saveJournal() async {
        let (journal, file) = (journal, journalFile)
        try? await FileWork.run { () throws(FileError) in try journal.save(file) }
    }

    mutating func forgetOthers(than files: [ScannedFile]) { journal.keepOnly(Set(files.map(\.path))) }
}
