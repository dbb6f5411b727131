extension CatalogStore {
    /// Entries of the newest catalog, and what they were selected from.
    package struct Selected: Sendable {
        package let entries: CatalogEntries
        let all: CatalogEntries
        let version: Version

        let isByContent: Bool

        /// Others of the same entries.
        func with(_ entries: CatalogEntries) -> Selected {
            Selected(entries: entries, all: all, version: version, isByContent: isByContent)
        }

        /// With what belongs to them.
        var completed: CatalogEntries {
            isByContent ? entries.completedFromPrimaries(from: all) : entries.completed(from: all)
        }
    }

    /// Reads the newest catalog and selects from it.
    /// - Parameters:
    ///   - known: the catalog as it was read last, to read only what is new.
    ///   - part: the library's entries, or those in its trash.
    package func select(
        _ selection: PhotoSelection, after known: Version? = nil,
        from part: (Catalog) -> CatalogEntries = { $0.entries }
    ) async throws(SelectionError) -> Selected {
        let version: Version
        do {
            if let known { version = try await newest(after: known) } else { version = try await load() }
        } catch { throw .catalog(error) }
        let all = part(version.catalog)
        do {
            return Selected(
                entries: try all.selected(selection), all: all, version: version,
                isByContent: !selection.contents.isEmpty)
        } catch {
            throw .unknownPaths(error.paths)
        }
    }
}

/// Why nothing could be selected.
package enum SelectionError: Error, Equatable, Sendable {
    case catalog(CatalogError)
    /// There is nothing at these paths.
    case unknownPaths([String])
    /// No version that is meant has an id that begins like this.
    case unknownVersion(String)
    /// Versions of different content have an id that begins like this.
    case ambiguousVersion(String)
}
