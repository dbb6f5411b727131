extension PhotoTrash {
    /// Undoes a recorded change: restores what it moved to the trash, and moves to the trash what it restored. Entries
    /// that were changed or permanently deleted since keep their state; so do both entries of a renamed file if one of
    /// them was.
    /// - Parameters:
    ///   - changes: The recorded changes, newest first. The first one that was committed is undone.
    ///   - isWanted: Confirms the change; called once, unless nothing can be undone.
    package func undo(
        _ changes: [TrashChange], isWanted: (UndoSummary) async -> Bool = { _ in true }
    ) async throws(SelectionError) -> UndoSummary {
        do throws(CatalogError) {
            _ = try await catalogs.endingAbandonedPurge(try await catalogs.head())
            let version = try await catalogs.load()
            let index = TrashChange.firstCommitted(of: changes, in: version.catalog) ?? 0
            guard changes.indices.contains(index) else { return UndoSummary() }
            var plan = UndoPlan(changes[index], in: version.catalog)
            plan.summary.index = index
            let missing = try await catalogs.missing(plan.restoredContents)
            plan.drop(missing)
            var summary = plan.summary
            guard !plan.changes.isEmpty, await isWanted(summary) else { return summary }
            let catalog = try await catalogs.commit(plan.changes, onto: version).version.catalog
            summary.conflicts = plan.changes.compactMap { change in
                guard case .restoreFromTrash(let path, let md5) = change else { return nil }
                return catalog.conflict(of: path, md5)
            }
            summary.isDone = true
            return summary
        } catch { throw .catalog(error) }
    }
}

/// The effect of undoing a change on the newest catalog.
private struct UndoPlan {
    private let catalog: Catalog
    /// The indices of the entries to change.
    private var entries: [Int] = []
    var summary = UndoSummary()

    init(_ change: TrashChange, in catalog: Catalog) {
        self.catalog = catalog
        let renamed = change.renamedContents
        var unchanged: [Int] = []
        var kept: Set<ContentDigest> = []
        for (row, made) in change.records.records.enumerated() {
            let path = change.records.path(at: row)
            guard let index = catalog.index(of: path, made.md5) else {
                summary.changed += 1
                kept.insert(made.md5)
                continue
            }
            let now = catalog.records[index]
            if now.isPurged {
                summary.purged += 1
                kept.insert(made.md5)
            } else if now.hasFacts, now.trashChanged == made.trashChanged, (now.trashed > 0) == (made.trashed > 0) {
                unchanged.append(index)
            } else {
                summary.changed += 1
                kept.insert(made.md5)
            }
        }
        kept.formIntersection(renamed)
        entries = unchanged.filter { !kept.contains(catalog.records[$0].md5) }
        summary.changed += unchanged.count - entries.count
        count()
    }

    /// The contents that are restored from the trash.
    var restoredContents: Set<ContentDigest> { Set(entries.map { catalog.records[$0] }.filter(\.isInTrash).map(\.md5)) }

    /// Leaves contents in the trash that the store no longer has, and the new entries of renamed files with them.
    mutating func drop(_ contents: Set<ContentDigest>) {
        guard !contents.isEmpty else { return }
        let isMissing = { [catalog] (index: Int) in
            catalog.records[index].isInTrash && contents.contains(catalog.records[index].md5)
        }
        summary.missing = entries.filter(isMissing).map(catalog.path)
        entries.removeAll { contents.contains(catalog.records[$0].md5) }
        count()
    }

    private mutating func count() {
        let records = entries.map { catalog.records[$0] }
        summary.restored = records.count(where: \.isInTrash)
        summary.trashed = records.count - summary.restored
        summary.paths = entries.map(catalog.path)
        summary.bytes = records.reduce(0) { $0.addingCapped($1.size) }
    }

    var changes: [CatalogChange] {
        entries.map { index in
            let (path, record) = (catalog.path(at: index), catalog.records[index])
            return record.isInTrash ? .restoreFromTrash(path, record.md5) : .trash(path, record.md5)
        }
    }
}

extension TrashChange {
    /// The contents of which the change moved one entry to the trash and added or restored another one.
    fileprivate var renamedContents: Set<ContentDigest> {
        Set(records.records.filter { $0.trashed > 0 }.map(\.md5))
            .intersection(records.records.filter { $0.trashed == 0 }.map(\.md5))
    }
}

/// What undoing a change does.
package struct UndoSummary: Sendable, Equatable {
    /// The index of the change that is undone.
    package fileprivate(set) var index = 0
    /// Whether it was confirmed and done.
    package fileprivate(set) var isDone = false
    /// Files restored from the trash.
    package fileprivate(set) var restored = 0
    /// Files moved back to the trash.
    package fileprivate(set) var trashed = 0
    /// The paths of both.
    package fileprivate(set) var paths: [LibraryPath] = []
    /// Their total size, in bytes.
    package fileprivate(set) var bytes: Int64 = 0
    /// Files that were changed since the command, on any device, or that the command did not change after all. They keep
    /// their state.
    package fileprivate(set) var changed = 0
    /// Files that were permanently deleted since.
    package fileprivate(set) var purged = 0
    /// Files that the store no longer has; they stay in the trash.
    package fileprivate(set) var missing: [LibraryPath] = []
    /// The conflicts of restored files whose path is taken by another one.
    package fileprivate(set) var conflicts: [CatalogConflict] = []
}
