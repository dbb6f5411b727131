import PhotoCatalog

/// A one-way sync of a source: a backup and, if wanted, the move of removed assets to the library's trash.
package struct SourceSync: Sendable {
    private let backup: Backup
    private let settings: SourceSyncSettings

    package init(_ backup: Backup, settings: SourceSyncSettings) {
        (self.backup, self.settings) = (backup, settings)
    }

    /// Syncs a source. Removals are applied after a backup that tried all files; otherwise by the next sync.
    /// - Parameter wanted: The only files to back up; `nil` for all.
    /// - Throws: Only if the backup could not begin.
    package func run(
        source: any AssetSource, only wanted: Set<LibraryPath>? = nil, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> SourceSyncSummary {
        report(.scanning)
        let opened = try await backup.open(source, recordsRemovals: settings.trashesRemoved)
        var summary = SourceSyncSummary(
            backup: try await backup.run(opened.all, only: wanted, report: report))
        guard summary.backup.ending != .cancelled else { return summary }
        // Also after a stop: what the source hides is not shown until the next backup.
        for kind in AssetMark.Kind.allCases {
            do throws(CatalogError) {
                try await syncMarks(kind, opened.files, opened.all.journal)
            } catch {
                // The next backup tries again.
                summary.backup.problems.append(kind.problem(error))
            }
        }
        guard settings.trashesRemoved, summary.backup.ending == .completed else { return summary }
        do throws(CatalogError) {
            try await applyRemovals(opened.files, opened.all.journal, &summary)
        } catch {
            summary.backup = summary.backup.ended(by: .catalog(error))
        }
        return summary
    }

    /// Takes the marks that changed in the source over into the library.
    private func syncMarks(
        _ kind: AssetMark.Kind, _ files: AssetFiles, _ journal: BackupJournal
    ) async throws(CatalogError) {
        let changes = MarkChanges(kind, files.index, journal)
        guard !changes.contents.isEmpty else { return }
        switch kind {
        case .favorite: try await backup.catalogs.setFavorites(changes.contents)
        case .hidden: try await backup.catalogs.setHidden(changes.contents)
        }
        await files.update { index in
            // The state of an asset that has lost the mark need not be remembered.
            for (asset, state) in changes.synced { index.marks[kind, default: [:]][asset] = state.isSet ? state : nil }
        }
    }

    private func applyRemovals(
        _ files: AssetFiles, _ journal: BackupJournal, _ summary: inout SourceSyncSummary
    ) async throws(CatalogError) {
        let removals = SourceRemovals(settings: settings, today: backup.today, device: backup.device)
        let index = files.index
        guard !removals.isSettled(index) else { return }
        let version = try await backup.catalogs.load()
        let plan = removals.plan(index, version.catalog) { journal.committed($0) }
        if !plan.changes.isEmpty {
            _ = try await backup.catalogs.commit(plan.changes, onto: version, recordedAs: .sync)
        }
        if plan.missing != index.missing { await files.update { $0.missing = plan.missing } }
        (summary.trashed, summary.restored, summary.heldAssets) = (plan.trashed, plan.restored, plan.heldAssets)
    }
}

extension AssetMark.Kind {
    /// The problem that the marks cannot be stored.
    fileprivate func problem(_ error: CatalogError) -> ScanProblem {
        switch self {
        case .favorite: ScanProblem(path: "favorites", reason: .favorites(error))
        case .hidden: ScanProblem(path: "hidden", reason: .hidden(error))
        }
    }
}

/// What a sync of a source does with removed assets.
package struct SourceSyncSettings: Sendable {
    /// Whether the entries of removed assets are moved to the library's trash.
    package var trashesRemoved = false
    /// Whether this applies to any number of assets.
    package var trashesAll = false

    package init() {}
}

/// The results of a sync of a source.
package struct SourceSyncSummary: Sendable {
    package var backup: BackupSummary
    /// The files that were moved to the trash.
    package var trashed: [LibraryPath] = []
    /// The files that were restored from the trash, because their assets are back.
    package var restored: [LibraryPath] = []
    /// The number of removed assets whose files stay in the library, because there are too many.
    package var heldAssets = 0

    package init(backup: BackupSummary) { self.backup = backup }
}
