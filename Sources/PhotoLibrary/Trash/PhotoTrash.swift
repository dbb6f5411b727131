/// A library's trash. Photos go there and come back by changes of the catalog alone: no bytes are moved, and nothing
/// leaves the trash by itself; only a purge deletes.
package struct PhotoTrash: Sendable {
    /// So many days a photo stays in the trash at least.
    package static let days = 30
    let catalogs: CatalogStore
    private let known: CatalogStore.Version?

    /// - Parameter known: the catalog as it was read last, to read only what is new.
    package init(_ catalogs: CatalogStore, known: CatalogStore.Version? = nil) {
        (self.catalogs, self.known) = (catalogs, known)
    }

    /// Puts photos into the trash, with what belongs to them.
    /// - Parameter isWanted: asked once, with what would go there, unless that is nothing.
    /// - Returns: what was meant, and whether it went there.
    package func put(
        _ selection: PhotoSelection, isWanted: (TrashSummary) async -> Bool = { _ in true }
    ) async throws(SelectionError) -> (summary: TrashSummary, isDone: Bool) {
        let selected = try await catalogs.select(selection, after: known)
        let entries = selected.completed
        let summary = TrashSummary(entries, meant: selected.entries.count)
        guard !entries.isEmpty, await isWanted(summary) else { return (summary, entries.isEmpty) }
        _ = try await commit(entries.places.map { .trash($0.path, $0.md5) }, onto: selected.version)
        return (summary, true)
    }

    /// Takes photos out of the trash, with what belongs to them. What the store does not have any more, because a purge
    /// broke off or it was deleted there otherwise, stays in the trash and is in the summary.
    /// - Parameter versions: which of several contents at one path.
    package func takeOut(
        _ selection: PhotoSelection, _ versions: TrashVersions = .all
    ) async throws(SelectionError) -> TrashSummary {
        do {
            let head = try await catalogs.head()
            _ = try await catalogs.settled(head)
        } catch { throw .catalog(error) }
        let found = try await catalogs.select(selection, after: known) { $0.trash }
        let selected = found.with(try versions.of(found.entries))
        let all = selected.completed
        let gone: Set<ContentDigest>
        do { gone = try await catalogs.missing(Set(all.map(\.md5))) } catch { throw .catalog(error) }
        let entries = all.filtered { !gone.contains($0.md5) }
        var summary = TrashSummary(entries, meant: selected.entries.filtered { !gone.contains($0.md5) }.count)
        summary.otherVersions = versions == .latest ? found.entries.count - selected.entries.count : 0
        summary.gone = all.filter { gone.contains($0.md5) }.map(\.path)
        guard !entries.isEmpty else { return summary }
        let places = entries.places
        let catalog = try await commit(places.map { .takeOut($0.path, $0.md5) }, onto: selected.version).catalog
        summary.conflicts = places.compactMap { catalog.conflict(of: $0.path, $0.md5) }
        return summary
    }

    private func commit(
        _ changes: [CatalogChange], onto version: CatalogStore.Version
    ) async throws(SelectionError) -> CatalogStore.Version {
        do { return try await catalogs.commit(changes, onto: version).version } catch { throw .catalog(error) }
    }
}

/// What goes to the trash or comes from there.
package struct TrashSummary: Sendable, Equatable {
    /// With those that belong to what was meant.
    package let files: Int
    package let bytes: Int64
    /// Those among them that were not meant themselves, but belong to one that was.
    package let companionFiles: Int
    /// Of photos that came back to a path where another one stands by now, under which name the one is shown that gave
    /// way.
    package fileprivate(set) var conflicts: [CatalogConflict] = []
    /// Those that the store does not have any more.
    package fileprivate(set) var gone: [LibraryPath] = []
    /// Earlier versions that stay in the trash, because only the latest of each path was meant.
    package fileprivate(set) var otherVersions = 0

    fileprivate init(_ entries: CatalogEntries, meant: Int) {
        (files, bytes, companionFiles) = (entries.count, entries.bytes, entries.count - meant)
    }
}

extension CatalogEntries {
    /// Where the entries' contents stand in the catalog, under whatever names they are shown.
    fileprivate var places: [(path: LibraryPath, md5: ContentDigest)] {
        order.map { (catalog.path(at: Int($0)), catalog.records[Int($0)].md5) }
    }
}
