import Foundation

/// The pending changes of a backup: entries to commit to the catalog, and state to store in the journal.
///
/// A large library's catalog is not loaded for a few new photos: the journal records what this device added, and a
/// commit does not need the changes of other devices.
struct BackupBook {
    let catalogs: CatalogStore
    let placing: (any BackupPlacing)?
    private let origin: CatalogOrigin
    /// The origin that this process has last read or written.
    private var knownOrigin: CatalogOrigin.Known?
    private let now: @Sendable () -> Date
    private var head: CatalogHead
    /// Whether everything that the journal records as committed is in the catalog.
    private var isSure: Bool
    /// The generation of snapshots at the start of the backup.
    private let line: ContentDigest
    /// Whether the catalog had no pointer at the start. The first commit then begins another generation.
    private let isBegun: Bool
    /// The last purge at the start of the backup. Contents found stored since then remain stored unless another purge
    /// begins.
    private let purge: CatalogPurge?
    /// The day on which the whole journal was last compared with the catalog.
    private var lookedDay: Int
    /// The whole catalog, if it is loaded.
    private(set) var version: CatalogStore.Version? {
        didSet {
            hasDeleted = hasDeleted || !purged.isEmpty
            purged = version?.catalog.purgedContents ?? []
        }
    }
    /// Whether the journal may contain deleted contents.
    private(set) var hasDeleted: Bool
    /// The contents that were permanently deleted from the trash.
    private(set) var purged: Set<ContentDigest> = []
    /// Whether the catalog was loaded late, so that some files were not compared with it.
    private var wasAtHandLate = false
    let journal: BackupJournal
    private var waiting: [Waiting] = []
    /// Contents that this backup uploaded and that, as far as is known, were not in the store before.
    private var sent: Set<ContentDigest> = []
    private var unknownFiles = 0
    private var lastCommit: Date
    private var lastCommitFailed = false
    private(set) var conflicts: [CatalogConflict] = []

    private struct Waiting {
        let change: CatalogChange
        /// Whether this device had added that content there before.
        let wasBrought: Bool
        /// Whether no other device had added it, as far as is known.
        let isFirst: Bool
    }

    /// - Parameters:
    ///   - version: The catalog, if it is already loaded.
    ///   - placing: Maps each file to catalog changes, instead of adding it at its path. Requires a loaded catalog.
    /// - Throws: If the catalog cannot be read.
    init(
        catalogs: CatalogStore, journal: BackupJournal, journalFile: String, version: CatalogStore.Version? = nil,
        placing: (any BackupPlacing)? = nil, now: @escaping @Sendable () -> Date
    ) async throws(CatalogError) {
        self.catalogs = catalogs
        self.placing = placing
        self.journal = journal
        self.now = now
        origin = CatalogOrigin(journalFile: journalFile)
        lastCommit = now()
        if let version { head = version.head } else { head = try await catalogs.head() }
        let isUnsettled = head.file.purge?.until != nil
        if isUnsettled { head = try await catalogs.settled(head) }
        (line, purge) = (head.origin, head.file.purge)
        isBegun = head.pointer == nil
        let (known, today) = (await origin.known(), Self.day(of: now()))
        isSure = known?.holds(for: head, today: today) ?? false
        lookedDay = isSure ? known?.day ?? today : today
        knownOrigin = isSure ? known : nil
        // The origin is removed first: by the next backup, other devices' counters may have passed the lost changes.
        if !isSure { origin.forget() }
        hasDeleted = journal.hasDeleted
        if journal.committedContents.isEmpty, !hasDeleted { isSure = true }
        if let version {
            self.version = isUnsettled ? try await catalogs.refreshed(version, to: head) : version
        } else if await catalogs.isSmall(head) || !isSure {
            self.version = try await catalogs.load(head)
        }
        purged = self.version?.catalog.purgedContents ?? []
    }

    /// The catalog, if it is loaded.
    var catalog: Catalog? { version?.catalog }

    /// The number of entries in the library, if the catalog is loaded.
    var entries: Int? { version?.catalog.count }

    /// Returns the recorded inspection of a file whose fingerprint has not changed.
    func remembered(_ file: ScannedFile) -> FileInspection? {
        journal.unchanged(file.path, file.stamp).map {
            FileInspection(stamp: file.stamp, md5: $0.md5, facts: $0.facts, held: nil)
        }
    }

    mutating func remember(_ file: ScannedFile, _ inspection: FileInspection) {
        journal.record(file, inspection)
    }

    /// Enqueues a file whose content is stored for the next commit.
    ///
    /// The file replaces the earlier content at its path only if this device added that content and no other device is
    /// known to have it there. Without a loaded catalog, this relies on what the device knew before. A content of this
    /// device that another device's edit moved to the trash is restored as soon as the catalog is loaded.
    /// - Parameter isSent: Whether the store did not have the content before.
    mutating func add(_ file: ScannedFile, _ inspection: FileInspection, isSent: Bool) {
        let (brought, committed) = (journal.brought(file.path), journal.committed(file.path))
        if isSent { takeAsSent(file.path, inspection.md5) }
        let entry = CatalogEntry(
            path: file.path, md5: inspection.md5, size: inspection.stamp.size, modified: inspection.stamp.modified,
            type: file.type, media: inspection.facts
        )
        // A commit whose journal record was lost is recognized by the device's own timestamp.
        let isOnly = version?.catalog.isOnly(catalogs.device, entry.path, entry.md5) ?? sent.contains(entry.md5)
        let isFirst = committed != entry.md5 && isOnly
        let changes = changes(for: entry, replacing: brought)
        if changes.isEmpty {
            journal.markCommitted(entry.path, entry.md5, isBrought: isFirst || brought == entry.md5)
            return
        }
        unknownFiles += 1
        waiting += changes.map { Waiting(change: $0, wasBrought: brought == entry.md5, isFirst: isFirst) }
    }

    /// Handles a content that had to be uploaded although the journal records it as committed. The store may have been
    /// restored from an older state, and the catalog with it; the device that added the content before remains its
    /// author.
    private mutating func takeAsSent(_ path: LibraryPath, _ md5: ContentDigest) {
        guard journal.committed(path) == md5 else {
            sent.insert(md5)
            return
        }
        // A repeated upload must not count as known state in the next backup.
        forgetOrigin()
        journal.forgetCommitted(path)
    }

    private mutating func forgetOrigin() {
        if isSure { origin.forget() }
        (isSure, knownOrigin) = (false, nil)
    }

    /// Returns whether enough changes are pending, or have been pending long enough. Each commit traverses a loaded
    /// catalog, so the threshold grows with its size; a first backup then traverses only a small multiple of its
    /// entries. After a failed commit only the time counts, because the threshold stays exceeded.
    func isCommitDue(_ settings: BackupSettings) -> Bool {
        guard !waiting.isEmpty else { return false }
        let enough = max(settings.commitAfterFiles, (version?.catalog.count ?? 0) / 50)
        return !lastCommitFailed && waiting.count >= enough
            || now().timeIntervalSince(lastCommit) >= settings.commitAfterSeconds
    }

    /// Commits the pending changes to the catalog in the store, then stores this device's state. Changes that could not
    /// be committed remain pending.
    mutating func commit() async throws(CatalogError) {
        lastCommit = now()
        defer { lastCommit = now() }
        let told = waiting
        // A missing pointer is restored even if no change is pending.
        if !told.isEmpty || (head.pointer == nil && !head.isEmpty) {
            lastCommitFailed = true
            let before = try await commit(told.map(\.change))
            lastCommitFailed = false
            waiting = []
            for item in told { note(item, before) }
        }
        await compactJournal()
        guard isSure else { return }
        knownOrigin = await origin.remember(
            .init(line: head.origin, counter: head.file.highestCounter, day: lookedDay), after: knownOrigin)
    }

    /// - Parameter before: What is known of the catalog that the change was applied to. Another device may have
    ///   committed first.
    private func note(_ item: Waiting, _ before: Catalog) {
        let (path, md5) = (item.change.path, item.change.md5)
        if case .trash = item.change { return }
        let isFirst = item.isFirst && before.isOnly(catalogs.device, path, md5)
        journal.markCommitted(path, md5, isBrought: isFirst || item.wasBrought)
    }

    /// - Returns: What is known of the catalog that the changes were applied to.
    private mutating func commit(_ told: [CatalogChange]) async throws(CatalogError) -> Catalog {
        // Contents that this backup found stored may have been deleted.
        guard head.file.purge == purge, head.origin == line || isBegun else { throw .purging }
        var changes = told
        // With this many new files, looking them up in the catalog is faster than asking the store for each.
        if version == nil, unknownFiles > max(1000, head.estimatedEntries / 50) {
            let loaded = try await catalogs.load(head)
            changes = told.map { reconsidered($0, in: loaded.catalog) }
            version = loaded
            wasAtHandLate = true
        }
        let before: Catalog
        if let known = version {
            let moved = try await catalogs.move(changes, onto: known)
            do {
                let committed = try await catalogs.committed(moved, from: known)
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
            let moved = try await catalogs.move(changes, onto: head)
            head = moved.head
            before = moved.base.file.rows
        }
        // The catalog was repaired during this backup. The next backup looks for lost entries.
        if head.origin != line { forgetOrigin() }
        return before
    }

    /// Records that the walk is complete. Every file was compared with the catalog, so the journal is reliable, unless
    /// the catalog was not loaded from the start or was repaired during the backup.
    /// - Parameter isComplete: Whether every file could be read. If not, the journal's records of the other files are
    ///   compared with the catalog here.
    mutating func sawEverything(isComplete: Bool) {
        guard let catalog = version?.catalog, !wasAtHandLate, head.origin == line else { return }
        if !isComplete { journal.forgetCommitted { catalog.index(of: $0, $1) == nil } }
        (isSure, lookedDay) = (true, Self.day(of: now()))
    }

    /// Returns the day of a date, counted from 1970.
    static func day(of date: Date) -> Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// Compacts the journal. A missing state file only makes the next backup slower, so a failed write is ignored.
    func compactJournal() async {
        let journal = journal
        try? await FileWork.run { () throws(FileError) in try journal.compact() }
    }
}
