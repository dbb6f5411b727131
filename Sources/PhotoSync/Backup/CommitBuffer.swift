import Foundation
import PhotoCatalog

/// The pending changes of a backup: entries to commit to the catalog, and state to store in the journal.
///
/// A large library's catalog is not loaded for a few new photos: the journal records what this device added, and a
/// commit does not need the changes of other devices.
struct CommitBuffer {
    let catalogs: CatalogStore
    let mapping: (any CatalogChangeMapping)?
    private let baseline: JournalBaseline
    /// The baseline that this process has last read or written.
    private var recordedBaseline: JournalBaseline.Position?
    private let now: @Sendable () -> Date
    private var head: CatalogHead
    /// Whether everything that the journal records as committed is in the catalog.
    private var isJournalReliable: Bool
    /// The generation of snapshots at the start of the backup.
    private let initialGeneration: ContentDigest
    /// Whether the catalog had no pointer at the start. The first commit then begins another generation.
    private let createsCatalog: Bool
    /// The last purge at the start of the backup. Contents found stored since then remain stored unless another purge
    /// begins.
    private let initialPurge: CatalogPurge?
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
    /// Facts of contents that were committed without a loaded catalog, for further paths of these contents. Not more than the
    /// files after which the catalog is loaded, and cleared then.
    private var committedFacts: [ContentDigest: MediaFacts] = [:]
    /// Files with pending changes, which were not compared with the catalog unless it is loaded.
    private var pendingFiles = 0
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
    ///   - mapping: Maps each file to catalog changes, instead of adding it at its path. Requires a loaded catalog.
    /// - Throws: If the catalog cannot be read.
    init(
        catalogs: CatalogStore, journal: BackupJournal, journalFile: String, version: CatalogStore.Version? = nil,
        mapping: (any CatalogChangeMapping)? = nil, now: @escaping @Sendable () -> Date
    ) async throws(CatalogError) {
        self.catalogs = catalogs
        self.mapping = mapping
        self.journal = journal
        self.now = now
        baseline = JournalBaseline(journalFile: journalFile)
        lastCommit = now()
        if let version { head = version.head } else { head = try await catalogs.head() }
        let isPurging = head.file.purge?.until != nil
        if isPurging { head = try await catalogs.endingAbandonedPurge(head) }
        (initialGeneration, initialPurge) = (head.generation, head.file.purge)
        createsCatalog = head.pointer == nil
        let (recorded, today) = (await baseline.load(), Self.day(of: now()))
        isJournalReliable = recorded?.isValid(for: head, today: today) ?? false
        comparedDay = isJournalReliable ? recorded?.day ?? today : today
        recordedBaseline = isJournalReliable ? recorded : nil
        // The baseline is removed first: by the next backup, other devices' counters may have passed the lost changes.
        if !isJournalReliable { baseline.clear() }
        hasDeletedContents = journal.hasDeleted
        if journal.committedContents.isEmpty, !hasDeletedContents { isJournalReliable = true }
        if let version {
            self.version = isPurging ? try await catalogs.refreshed(version, to: head) : version
        } else if await catalogs.isSmall(head) || !isJournalReliable || mayFindPurged(head) {
            self.version = try await catalogs.load(head)
        }
        purgedContents = self.version?.catalog.purgedContents ?? []
    }

    /// Whether this is the first backup of a folder into a library of which contents were permanently deleted. The folder
    /// may have them, and only the catalog tells which: a backup neither uploads nor restores them.
    private func mayFindPurged(_ head: CatalogHead) -> Bool {
        head.file.purge != nil && journal.committedContents.isEmpty
    }

    /// The catalog, if it is loaded.
    var catalog: Catalog? { version?.catalog }

    /// The number of entries in the library, if the catalog is loaded.
    var entries: Int? { version?.catalog.count }

    /// Returns the recorded inspection of a file whose fingerprint has not changed.
    func recordedInspection(_ file: ScannedFile) -> FileInspection? {
        journal.unchanged(file.path, file.fingerprint).map {
            FileInspection(fingerprint: file.fingerprint, md5: $0.md5, facts: $0.facts)
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
    /// - Parameter isNew: Whether the store did not have the content before.
    /// - Returns: Whether a stored content gets a new path; `false` while the catalog is not loaded.
    mutating func add(_ file: ScannedFile, _ inspection: FileInspection, isNew: Bool) -> Bool {
        let (ownAddition, committed) = (journal.ownAddition(file.path), journal.committed(file.path))
        if isNew { handleRepeatedUpload(file.path, inspection.md5) }
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
        let changes = changes(for: entry, replacing: ownAddition)
        if changes.isEmpty {
            journal.markCommitted(
                entry.path, entry.md5, isOwnAddition: isFirst || ownAddition == entry.md5)
            return false
        }
        pendingFiles += 1
        pendingChanges += changes.map {
            PendingChange(change: $0, wasOwnAddition: ownAddition == entry.md5, isFirstAddition: isFirst)
        }
        return !isNew && version != nil && changes.contains { if case .add = $0 { true } else { false } }
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
        let committing = pendingChanges
        // A missing pointer is restored even if no change is pending.
        if !committing.isEmpty || (head.pointer == nil && !head.isEmpty) {
            lastCommitFailed = true
            let before = try await commitChanges(committing.map(\.change))
            lastCommitFailed = false
            pendingChanges = []
            for item in committing { recordCommitted(item, before) }
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
        journal.markCommitted(path, md5, isOwnAddition: isFirst || item.wasOwnAddition)
    }

    /// - Returns: What is known of the catalog that the changes were applied to.
    private mutating func commitChanges(_ pending: [CatalogChange]) async throws(CatalogError) -> Catalog {
        // Contents that this backup found stored may have been deleted.
        guard head.file.purge == initialPurge, head.generation == initialGeneration || createsCatalog else {
            throw .purging
        }
        var changes = pending
        // With this many new files, looking them up in the catalog is faster than asking the store for each.
        let hasShownNames = pending.contains { $0.path.name.contains(" (conflict ") }
        if version == nil, hasShownNames || pendingFiles > max(1000, head.estimatedEntries / 50) {
            let loaded = try await catalogs.load(head)
            changes = pending.compactMap { reevaluated($0, in: loaded.catalog) }
            version = loaded
            committedFacts = [:]
            wasCatalogLoadedLate = true
        }
        var facts = committedFacts
        changes = (version?.catalog ?? Catalog()).sharingContentFacts(changes, &facts)
        let before: Catalog
        if let loaded = version {
            let update = try await catalogs.commitChanges(changes, onto: loaded)
            do {
                let committed = try await catalogs.commitResult(update, from: loaded)
                version = committed.version
                before = committed.before
                conflicts += committed.conflicts
            } catch {
                // The commit is done. Later commits of other devices cannot be read now, and are needed only if the
                // mapping depends on them.
                guard mapping == nil else { throw error }
                version = nil
                before = loaded.catalog.joined(with: update.base.file.rows)
            }
            head = update.head
        } else {
            let update = try await catalogs.commitChanges(changes, onto: head)
            head = update.head
            before = update.base.file.rows
            committedFacts = facts
        }
        // The catalog was repaired during this backup. The next backup looks for lost entries.
        if head.generation != initialGeneration { clearBaseline() }
        return before
    }

    /// Records that the scan is complete. Every file was compared with the catalog, so the journal is reliable, unless
    /// the catalog was not loaded from the start or was repaired during the backup.
    /// - Parameter isComplete: Whether every file could be read. If not, the journal's records of the other files are
    ///   compared with the catalog here.
    mutating func finishScan(isComplete: Bool) {
        guard let catalog = version?.catalog, !wasCatalogLoadedLate, head.generation == initialGeneration else {
            return
        }
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

extension CommitBuffer {
    /// Returns the catalog changes for a file.
    /// - Parameter ownAddition: The content that this device had added at its path.
    private func changes(for entry: CatalogEntry, replacing ownAddition: ContentDigest?) -> [CatalogChange] {
        if let mapping, let version { return mapping.changes(for: entry, in: version.catalog) }
        guard let catalog = version?.catalog else {
            return journal.committed(entry.path) == entry.md5 ? [] : [.add(entry, replacing: ownAddition)]
        }
        let replaced = replaceableAddition(ownAddition, at: entry.path, in: catalog)
        if isShown(entry, in: catalog) { return [] }
        let add = catalog.change(adding: entry, replacing: replaced)
        let isPutBack = replaced != nil && replaced != entry.md5
        let isGivenUp = !isPutBack && catalog.isReplaced(entry.path, entry.md5)
        return (add.map { [$0] } ?? []) + (isGivenUp ? [.restoreFromTrash(entry.path, entry.md5)] : [])
    }

    /// Returns the content that this device had added, if it may be replaced. A content that the user has since put
    /// into the trash keeps its state.
    private func replaceableAddition(
        _ ownAddition: ContentDigest?, at path: LibraryPath, in catalog: Catalog
    ) -> ContentDigest? {
        ownAddition.flatMap { md5 in
            catalog.holds(path, md5) && catalog.mayReplace(path, md5, by: catalogs.device) ? md5 : nil
        }
    }

    /// Returns whether a file has the name at which an entry with its content is shown beside another one, as after a
    /// restore. Adding it would give the next restore a further name.
    private func isShown(_ entry: CatalogEntry, in catalog: Catalog) -> Bool {
        catalog.index(of: entry.path, entry.md5) == nil && catalog.shows(entry.md5, at: entry.path)
    }

    /// Reevaluates a change that was made before the catalog was loaded.
    /// - Returns: `nil` if there is nothing to change.
    private func reevaluated(_ change: CatalogChange, in catalog: Catalog) -> CatalogChange? {
        guard case .add(let entry, let replaced) = change else { return change }
        if isShown(entry, in: catalog) { return nil }
        return .add(entry, replacing: replaceableAddition(replaced, at: entry.path, in: catalog))
    }
}

extension CommitBuffer {
    /// Returns those of the files whose content is in the trash at their path and in the library at no other path; `nil`
    /// while the catalog is not loaded.
    func filesInTrash(_ paths: Set<LibraryPath>) -> [LibraryPath]? {
        guard let catalog else { return nil }
        let trashed = catalog.trash.filter { entry in
            guard paths.contains(entry.path), let file = journal.entry(entry.path) else { return false }
            return file.md5 == entry.md5 && file.committed == entry.md5
        }
        let elsewhere = catalog.presentContents(Set(trashed.map(\.md5)))
        return trashed.filter { !elsewhere.contains($0.md5) }.map(\.path)
    }

    /// Returns whether a file's content was permanently deleted from the trash. Such content is not uploaded: a backup
    /// never restores it. While the catalog is not loaded, the answer comes from the journal.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard hasDeletedContents || !purgedContents.isEmpty else { return false }
        guard let catalog else { return journal.isDeleted(path, md5) }
        let isPurged = purgedContents.contains(md5)
        if let mapping { return isPurged && mapping.isDeleted(path, md5, in: catalog) }
        let isDeleted = isPurged && catalog.isDeleted(path, md5)
        journal.markDeleted(path, isDeleted)
        return isDeleted
    }
}

/// A mapping of the files in a device's folder to catalog changes, instead of adding each at its path. Used only with a
/// loaded catalog.
protocol CatalogChangeMapping: Sendable {
    /// - Parameter file: The file, with its path in the folder.
    func changes(for file: CatalogEntry, in catalog: Catalog) -> [CatalogChange]

    /// Returns whether a file's content was permanently deleted from the library's trash, so that it need not be
    /// stored.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest, in catalog: Catalog) -> Bool
}
