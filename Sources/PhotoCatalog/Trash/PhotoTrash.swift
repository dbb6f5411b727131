/// The trash of a library. Photos are moved to it and restored from it only by changes to the catalog: no bytes are
/// moved. Contents leave the trash permanently only by a purge.
package struct PhotoTrash: Sendable {
    /// The minimum number of days that photos stay in the trash.
    package static let days = 30
    let catalogs: CatalogStore
    private let known: CatalogStore.Version?

    /// - Parameter known: The last catalog that was read, so that only what is new is read.
    package init(_ catalogs: CatalogStore, known: CatalogStore.Version? = nil) {
        (self.catalogs, self.known) = (catalogs, known)
    }

    /// Moves photos to the trash, with the files that belong to them.
    /// - Parameter isWanted: Confirms the change; called once, unless there is nothing to move.
    /// - Returns: The summary, and whether the change was made.
    package func moveToTrash(
        _ selection: PhotoSelection, isWanted: (TrashSummary) async -> Bool = { _ in true }
    ) async throws(SelectionError) -> (summary: TrashSummary, isDone: Bool) {
        let selected = try await catalogs.select(selection, after: known)
        let entries = selected.completed
        var summary = TrashSummary(entries, selected: selected.entries)
        guard !entries.isEmpty, await isWanted(summary) else { return (summary, entries.isEmpty) }
        let changes = entries.pathsAndDigests.map { CatalogChange.trash($0.path, $0.md5) }
        summary.isUndoable = try await commit(changes, onto: selected.version, as: .trash).isRecorded
        return (summary, true)
    }

    /// Restores photos from the trash, with the files that belong to them. Contents that the store no longer has, after
    /// an interrupted purge or another deletion, stay in the trash and are listed in the summary.
    /// - Parameter versions: Selects among several contents with the same path.
    package func restore(
        _ selection: PhotoSelection, _ versions: TrashVersions = .all
    ) async throws(SelectionError) -> TrashSummary {
        do {
            let head = try await catalogs.head()
            _ = try await catalogs.endingAbandonedPurge(head)
        } catch { throw .catalog(error) }
        let found = try await catalogs.select(selection, after: known) { $0.trash }
        let selected = found.with(try versions.of(found.entries))
        let all = selected.completed
        let missing: Set<ContentDigest>
        do { missing = try await catalogs.missing(Set(all.map(\.md5))) } catch { throw .catalog(error) }
        let entries = all.filtered { !missing.contains($0.md5) }
        var summary = TrashSummary(entries, selected: selected.entries.filtered { !missing.contains($0.md5) })
        summary.otherVersions = versions == .latest ? found.entries.count - selected.entries.count : 0
        summary.missing = all.filter { missing.contains($0.md5) }.map(\.path)
        summary.missingContents = missing.count
        guard !entries.isEmpty else { return summary }
        let restored = entries.pathsAndDigests
        let changes = restored.map { CatalogChange.restoreFromTrash($0.path, $0.md5) }
        let (result, isRecorded) = try await commit(changes, onto: selected.version, as: .restore)
        summary.isUndoable = isRecorded
        summary.conflicts = restored.compactMap { result.version.catalog.conflict(of: $0.path, $0.md5) }
        return summary
    }

    private func commit(
        _ changes: [CatalogChange], onto version: CatalogStore.Version, as command: TrashChange.Command
    ) async throws(SelectionError) -> (result: CatalogStore.CommitResult, isRecorded: Bool) {
        do {
            return try await catalogs.commit(changes, onto: version, recordedAs: command)
        } catch { throw .catalog(error) }
    }
}

/// The files that are moved to the trash or restored from it.
package struct TrashSummary: Sendable, Equatable {
    /// All files, including those that belong to a selected photo.
    package let files: Int
    /// The distinct contents among the selected files.
    package let photos: Int
    package let bytes: Int64
    /// Files that were not selected themselves, but belong to a selected photo.
    package let companionFiles: Int
    /// The conflicts of restored photos whose path is taken by another one, with the path under which the photo without
    /// precedence is shown.
    package fileprivate(set) var conflicts: [CatalogConflict] = []
    /// Photos that the store no longer has.
    package fileprivate(set) var missing: [LibraryPath] = []
    /// Their distinct contents.
    package fileprivate(set) var missingContents = 0
    /// Earlier versions that stay in the trash, because only the latest of each path was selected.
    package fileprivate(set) var otherVersions = 0
    /// Whether the change was made and recorded, so that it can be undone.
    package fileprivate(set) var isUndoable = false

    fileprivate init(_ entries: CatalogEntries, selected: CatalogEntries) {
        (files, bytes, companionFiles) = (entries.count, entries.bytes, entries.count - selected.count)
        photos = Set(selected.contents).count
    }
}

extension CatalogEntries {
    /// The paths and contents of the entries in the catalog, regardless of the paths under which they are shown.
    fileprivate var pathsAndDigests: [(path: LibraryPath, md5: ContentDigest)] {
        order.map { (catalog.path(at: Int($0)), catalog.records[Int($0)].md5) }
    }
}
