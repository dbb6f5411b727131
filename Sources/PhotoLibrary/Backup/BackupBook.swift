import Foundation

/// The written side of a backup: what was done and is to go into the catalog, and what this device remembers.
///
/// A large library's catalog is not read for a few new photos: what this device brought into it is known from its
/// journal, and what others did need not be known to commit.
struct BackupBook {
    let catalogs: CatalogStore
    let placing: (any BackupPlacing)?
    private let origin: CatalogOrigin
    /// What of it this process has read or written last.
    private var knownOrigin: CatalogOrigin.Known?
    private let now: @Sendable () -> Date
    private var head: CatalogHead
    /// Whether all that the journal calls committed is in the catalog.
    private var isSure: Bool
    /// The line of snapshots that was there at the beginning.
    private let line: ContentDigest
    /// Whether this backup is the first to point at a catalog: then the line is another one afterwards.
    private let isBegun: Bool
    /// What is found stored from now on is stored, unless there is another purge.
    private let purge: CatalogPurge?
    /// When all of the journal was held against the catalog.
    private var lookedDay: Int
    /// The whole catalog, where it is at hand.
    private(set) var version: CatalogStore.Version? {
        didSet {
            hasDeleted = hasDeleted || !purged.isEmpty
            purged = version?.catalog.purgedContents ?? []
        }
    }
    /// Whether the journal may know of anything that was deleted.
    private(set) var hasDeleted: Bool
    /// Of that, what was deleted from the trash for good.
    private(set) var purged: Set<ContentDigest> = []
    /// Whether there were files that were not held against it.
    private var wasAtHandLate = false
    let journal: BackupJournal
    private var waiting: [Waiting] = []
    /// Contents that this backup brought to the store, and that had not been there before as far as is known.
    private var sent: Set<ContentDigest> = []
    private var unknownFiles = 0
    private var lastCommit: Date
    private var lastCommitFailed = false
    private(set) var conflicts: [CatalogConflict] = []

    private struct Waiting {
        let change: CatalogChange
        /// Whether this device had put that content there before.
        let wasBrought: Bool
        /// Whether no other device had, as far as is known.
        let isFirst: Bool
    }

    /// - Parameters:
    ///   - version: the catalog, where it is at hand already.
    ///   - placing: decides what each file means for the catalog, in place of adding it at its path; only with a
    ///     catalog that is at hand.
    /// - Throws: when the catalog cannot be read.
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
        // By the next time others may have counted past what was lost.
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

    /// The catalog, where it is at hand.
    var catalog: Catalog? { version?.catalog }

    /// The entries of the library, where they were counted.
    var entries: Int? { version?.catalog.count }

    /// What is remembered of a file that was not touched since.
    func remembered(_ file: ScannedFile) -> FileInspection? {
        journal.unchanged(file.path, file.stamp).map {
            FileInspection(stamp: file.stamp, md5: $0.md5, facts: $0.facts, held: nil)
        }
    }

    mutating func remember(_ file: ScannedFile, _ inspection: FileInspection) {
        journal.record(file, inspection)
    }

    /// A file whose content is in the store goes into the catalog with the next commit.
    ///
    /// It goes in the place of what was there before only if this device had brought that, and no other one is known to
    /// have it at this path, too. Where the catalog is not at hand, that is known of what others did not tell this device
    /// before. Whose photo went to the trash by another one's edit takes it out again, as soon as the catalog is at hand.
    /// - Parameter isSent: whether the store did not have the content before.
    mutating func add(_ file: ScannedFile, _ inspection: FileInspection, isSent: Bool) {
        let (brought, committed) = (journal.brought(file.path), journal.committed(file.path))
        if isSent { takeAsSent(file.path, inspection.md5) }
        let entry = CatalogEntry(
            path: file.path, md5: inspection.md5, size: inspection.stamp.size, modified: inspection.stamp.modified,
            type: file.type, media: inspection.facts
        )
        // What was committed and not noted any more is known by the device's own stamp.
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

    /// Where the store did not have what the journal says was committed, it is not the store that it was: somebody may
    /// have put an older one back, and the catalog with it. Whoever brought it is who had brought it before.
    private mutating func takeAsSent(_ path: LibraryPath, _ md5: ContentDigest) {
        guard journal.committed(path) == md5 else {
            sent.insert(md5)
            return
        }
        // What was sent again is no sign for the next backup.
        forgetOrigin()
        journal.forgetCommitted(path)
    }

    private mutating func forgetOrigin() {
        if isSure { origin.forget() }
        (isSure, knownOrigin) = (false, nil)
    }

    /// Whether enough waits, or has waited long enough. Where the catalog is at hand all of it is gone through for each
    /// commit, so what is enough grows with it: a first backup of many photos goes through some times their number.
    /// After a commit that failed only time counts: there are always enough then.
    func isCommitDue(_ settings: BackupSettings) -> Bool {
        guard !waiting.isEmpty else { return false }
        let enough = max(settings.commitAfterFiles, (version?.catalog.count ?? 0) / 50)
        return !lastCommitFailed && waiting.count >= enough
            || now().timeIntervalSince(lastCommit) >= settings.commitAfterSeconds
    }

    /// Brings what waits into the catalog in the store, then saves what this device remembers. What could not be
    /// committed goes on waiting.
    mutating func commit() async throws(CatalogError) {
        lastCommit = now()
        defer { lastCommit = now() }
        let told = waiting
        // A pointer that is gone is put back, even if there is nothing else to say.
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

    /// - Parameter before: what is known of the catalog that the change was made to: another device may have been faster.
    private func note(_ item: Waiting, _ before: Catalog) {
        let (path, md5) = (item.change.path, item.change.md5)
        if case .trash = item.change { return }
        let isFirst = item.isFirst && before.isOnly(catalogs.device, path, md5)
        journal.markCommitted(path, md5, isBrought: isFirst || item.wasBrought)
    }

    /// - Returns: what is known of the catalog that the changes were made to.
    private mutating func commit(_ told: [CatalogChange]) async throws(CatalogError) -> Catalog {
        // What this backup found stored may be gone.
        guard head.file.purge == purge, head.origin == line || isBegun else { throw .purging }
        var changes = told
        // So many new files are found sooner in the catalog than by asking the store for each.
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
                // The commit is done. What others have committed since cannot be read now, and need not be, unless it is to
                // be known for what comes next.
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
        // Somebody mended the catalog meanwhile. What is missing there now is looked for by the next backup.
        if head.origin != line { forgetOrigin() }
        return before
    }

    /// The walk is over: every file was held against the catalog, and the journal can be relied on, unless the catalog
    /// was not at hand from the beginning, or somebody mended it in the middle.
    /// - Parameter isComplete: whether there was none that could not be looked at; what the journal says of such files is
    ///   held against the catalog here.
    mutating func sawEverything(isComplete: Bool) {
        guard let catalog = version?.catalog, !wasAtHandLate, head.origin == line else { return }
        if !isComplete { journal.forgetCommitted { catalog.index(of: $0, $1) == nil } }
        (isSure, lookedDay) = (true, Self.day(of: now()))
    }

    /// Counted from 1970.
    static func day(of date: Date) -> Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// Without the state file the next backup only takes longer, so failing to write it is no reason to stop.
    func compactJournal() async {
        let journal = journal
        try? await FileWork.run { () throws(FileError) in try journal.compact() }
    }
}
