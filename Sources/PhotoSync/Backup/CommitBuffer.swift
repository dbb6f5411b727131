import Foundation
import PhotoCatalog

/// The pending changes of a backup: entries to commit to the catalog, and state to store in the journal.
///
/// A large library's catalog is not loaded for a few new photos: the journal records what this device added, and a
/// commit does not need the changes of other devices.
struct CommitBuffer {
    let catalogs: CatalogStore
    let placing: (any CatalogChangeMapping)?
    private let baseline: JournalBaseline
    /// The origin that this process has last read or written.
    private var recordedBaseline: JournalBaseline.Position?
    private let now: @Sendable () -> Date
    private var head: CatalogHead
    /// Whether everything that the journal records as committed is in the catalog.
    private var isJournalReliable: Bool
    /// The generation of snapshots at the start of the backup.
    private let generation: ContentDigest
    /// Whether the catalog had no pointer at the start. The first commit then begins another generation.
    private let createsCatalog: Bool
    /// The last purge at the start of the backup. Contents found stored since then remain stored unless another purge
    /// begins.
    private let purge: CatalogPurge?
    /// The day on which the whole journal was last compared with the catalog.
    private var comparedDay: Int
    /// The whole catalog, if it is loaded.
    private(set) var version: CatalogStore.Version? {
        didSet {
            hasDeletedContents = hasDeletedContents || !purgedContents.isEmpty
            purgedContents = version?.catalog.purgedContents ?? []
        }
    }
    /// Whether the journal may contain deleted contents.
    private(set) var hasDeletedContents: Bool
    /// The contents that were permanently deleted from the trash.
    private(set) var purgedContents: Set<ContentDigest> = []
    /// Whether the catalog was loaded late, so that some files were not compared with it.
    private var wasCatalogLoadedLate = false
    let journal: BackupJournal
    private var pendingChanges: [PendingChange] = []
    /// Contents that this backup uploaded and that, as far as is known, were not in the store before.
    private var uploadedContents: Set<ContentDigest> = []
    private var unknownFiles = 0
    private var lastCommit: Date
    private var lastCommitFailed = false
    private(set) var conflicts: [CatalogConflict] = []

    private struct PendingChange {
        let change: CatalogChange
        /// Whether this device had added that content there before.
        let wasOwnAddition: Bool
        /// Whether no other device had added it, as far as is known.
        let isFirstAddition: Bool
    }

    /// - Parameters:
    ///   - version: The catalog, if it is already loaded.
    ///   - placing: Maps each file to catalog changes, instead of adding it at its path. Requires a loaded catalog.
    /// - Throws: If the catalog cannot be read.
    init(
        catalogs: CatalogStore, journal: BackupJournal, journalFile: String, version: CatalogStore.Version? = nil,
        placing: (any CatalogChangeMapping)? = nil, now: @escaping @Sendable () -> Date
    ) async throws(CatalogError) {
        self.catalogs = catalogs
        self.placing = placing
        self.journal = journal
        self.now = now
        baseline = JournalBaseline(journalFile: journalFile)
        lastCommit = now()
        if let version { head = version.head } else { head = try await catalogs.head() }
        let isUnsettled = head.file.purge?.until != nil
        if isUnsettled { head = try await catalogs.endingAbandonedPurge(head) }
        (generation, purge) = (head.generation, head.file.purge)
        createsCatalog = head.pointer == nil
        let (known, today) = (await baseline.load(), Self.day(of: now()))
        isJournalReliable = known?.isValid(for: head, today: today) ?? false
        comparedDay = isJournalReliable ? known?.day ?? today : today
        recordedBaseline = isJournalReliable ? known : nil
        // The origin is removed first: by the next backup, other devices' counters may have passed the lost changes.
        if !isJournalReliable { baseline.clear() }
        hasDeletedContents = journal.hasDeleted
        if journal.committedContents.isEmpty, !hasDeletedContents { isJournalReliable = true }
        if let version {
            self.version = isUnsettled ? try await catalogs.refreshed(version, to: head) : version
        } else if await catalogs.isSmall(head) || !isJournalReliable {
            self.version = try await catalogs.load(head)
        }
        purgedContents = self.version?.catalog.purgedContents ?? []
    }

    /// The catalog, if it is loaded.
    var catalog: Catalog? { version?.catalog }

    /// The number of entries in the library, if the catalog is loaded.
    var entries: Int? { version?.catalog.count }

    /// Returns the recorded inspection of a file whose fingerprint has not changed.
    func recordedInspection(_ file: ScannedFile) -> FileInspection? {
        journal.unchanged(file.path, file.fingerprint).map {
            FileInspection(stamp: file.fingerprint, md5: $0.md5, facts: $0.facts, held: nil)
        }
    }

    mutating func recordInspection(_ file: ScannedFile, _ inspection: FileInspection) {
        journal.record(file, inspection)
    }

    /// Enqueues a file whose content is stored for the next commit.
    ///
    /// The file replaces the earlier content at its path only if this device added that content and no other device is
    /// known to have it there. Without a loaded catalog, this relies on what the device knew before. A content of this
    /// device that another device's edit moved to the trash is restored as soon as the catalog is loaded.
    /// - Parameter isSent: Whether the store did not have the content before.
    mutating func add(_ file: ScannedFile, _ inspection: FileInspection, isSent: Bool) {
        let (brought, committed) = (journal.ownAddition(file.path), journal.committed(file.path))
        if isSent { handleRepeatedUpload(file.path, inspection.md5) }
        let entry = CatalogEntry(
            path: file.path, md5: inspection.md5, size: inspection.fingerprint.size,
            modified: inspection.fingerprint.modified,
            type: file.type, media: inspection.facts
        )
        // A commit whose journal record was lost is recognized by the device's own timestamp.
        let isOnly =
            version?.catalog.isOnlyDevice(catalogs.device, entry.path, entry.md5)
            ?? uploadedContents.contains(entry.md5)
        let isFirst = committed != entry.md5 && isOnly
        let changes = changes(for: entry, replacing: brought)
        if changes.isEmpty {
            journal.markCommitted(entry.path, entry.md5, isBrought: isFirst || brought == entry.md5)
            return
        }
        unknownFiles += 1
        pendingChanges += changes.map {
            PendingChange(change: $0, wasOwnAddition: brought == entry.md5, isFirstAddition: isFirst)
        }
    }

    /// Handles a content that had to be uploaded although the journal records it as committed. The store may have been
    /// restored from an older state, and the catalog with it; the device that added the content before remains its
    /// author.
    private mutating func handleRepeatedUpload(_ path: LibraryPath, _ md5: ContentDigest) {
        guard journal.committed(path) == md5 else {
            uploadedContents.insert(md5)
            return
        }
        // A repeated upload must not count as known state in the next backup.
        clearBaseline()
        journal.forgetCommitted(path)
    }

    private mutating func clearBaseline() {
        if isJournalReliable { baseline.clear() }
        (isJournalReliable, recordedBaseline) = (false, nil)
    }

    /// Returns whether enough changes are pending, or have been pending long enough. Each commit traverses a loaded
    /// catalog, so the threshold grows with its size; a first backup then traverses only a small multiple of its
    /// entries. After a failed commit only the time counts, because the threshold stays exceeded.
    func isCommitDue(_ settings: BackupSettings) -> Bool {
        guard !pendingChanges.isEmpty else { return false }
        let enough = max(settings.commitAfterFiles, (version?.catalog.count ?? 0) / 50)
        return !lastCommitFailed && pendingChanges.count >= enough
            || now().timeIntervalSince(lastCommit) >= settings.commitAfterSeconds
    }

    /// Commits the pending changes to the catalog in the store, then stores this device's state. Changes that could not
    /// be committed remain pending.
    mutating func commit() async throws(CatalogError) {
        lastCommit = now()
        defer { lastCommit = now() }
        let told = pendingChanges
        // A missing pointer is restored even if no change is pending.
        if !told.isEmpty || (head.pointer == nil && !head.isEmpty) {
            lastCommitFailed = true
            let before = try await commitChanges(told.map(\.change))
            lastCommitFailed = false
            pendingChanges = []
            for item in told { recordCommitted(item, before) }
        }
        await compactJournal()
        guard isJournalReliable else { return }
        recordedBaseline = await baseline.save(
            .init(generation: head.generation, counter: head.file.highestCounter, day: comparedDay),
            after: recordedBaseline)
    }

    /// - Parameter before: What is known of the catalog that the change was applied to. Another device may have
    ///   committed first.
    private func recordCommitted(_ item: PendingChange, _ before: Catalog) {
        let (path, md5) = (item.change.path, item.change.md5)
        if case .trash = item.change { return }
        let isFirst = item.isFirstAddition && before.isOnlyDevice(catalogs.device, path, md5)
        journal.markCommitted(path, md5, isBrought: isFirst || item.wasOwnAddition)
    }

    /// - Returns: What is known of the catalog that the changes were applied to.
    private mutating func commitChanges(_ told: [CatalogChange]) async throws(CatalogError) -> Catalog {
        // Contents that this backup found stored may have been deleted.
        guard head.file.purge == purge, head.generation == generation || createsCatalog else { throw .purging }
        var changes = told
        // With this many new files, looking them up in the catalog is faster than asking the store for each.
        if version == nil, unknownFiles > max(1000, head.estimatedEntries / 50) {
            let loaded = try await catalogs.load(head)
            changes = told.map { reevaluated($0, in: loaded.catalog) }
            version = loaded
            wasCatalogLoadedLate = true
        }
        let before: Catalog
        if let known = version {
            let moved = try await catalogs.commitChanges(changes, onto: known)
            do {
                let committed = try await catalogs.commitResult(moved, from: known)
                version = committed.version
                before = committed.before
                conflicts += committed.conflicts
            } catch {
                // The commit is done. Later commits of other devices cannot be read now, and are needed only if the
                // placing depends on them.
                guard placing == nil else { throw error }
                version = nil
                before = known.catalog.joined(with: moved.base.file.rows)
            }
            head = moved.head
        } else {
            let moved = try await catalogs.commitChanges(changes, onto: head)
            head = moved.head
            before = moved.base.file.rows
        }
        // The catalog was repaired during this backup. The next backup looks for lost entries.
        if head.generation != generation { clearBaseline() }
        return before
    }

    /// Records that the walk is complete. Every file was compared with the catalog, so the journal is reliable, unless
    /// the catalog was not loaded from the start or was repaired during the backup.
    /// - Parameter isComplete: Whether every file could be read. If not, the journal's records of the other files are
    ///   compared with the catalog here.
    mutating func finishWalk(isComplete: Bool) {
        guard let catalog = version?.catalog, !wasCatalogLoadedLate, head.generation == generation else { return }
        if !isComplete { journal.forgetCommitted { catalog.index(of: $0, $1) == nil } }
        (isJournalReliable, comparedDay) = (true, Self.day(of: now()))
    }

    /// Returns the day of a date, counted from 1970.
    static func day(of date: Date) -> Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// Compacts the journal. A missing state file only makes the next backup slower, so a failed write is ignored.
    func compactJournal() async {
        let journal = journal
        try? await FileWork.run { () throws(FileError) in try journal.compact() }
    }
}
