import PhotoCatalog

/// The pending date changes, which are committed to the catalog in batches of several hundred.
struct DateCommits {
    /// `nil` for a dry run.
    private let catalogs: CatalogStore?
    private var version: CatalogStore.Version
    private let size: Int
    private var changes: [CatalogChange] = []

    init(catalogs: CatalogStore?, version: CatalogStore.Version, size: Int) {
        (self.catalogs, self.version, self.size) = (catalogs, version, size)
    }

    mutating func add(_ change: CatalogChange, _ summary: inout DateRefreshSummary) async {
        guard catalogs != nil else { return }
        changes.append(change)
        if changes.count >= size { await commit(&summary) }
    }

    /// Commits the remaining changes, even if the task was cancelled.
    mutating func finish(_ summary: inout DateRefreshSummary) async {
        if !changes.isEmpty { await commit(&summary) }
    }

    /// Commits the pending changes. The dates of a failed commit are found again by the next run.
    private mutating func commit(_ summary: inout DateRefreshSummary) async {
        guard let catalogs else { return }
        let (changes, before) = (changes, version)
        self.changes = []
        let (after, problem) = await Task {
            do throws(CatalogError) {
                return (try await catalogs.commit(changes, onto: before).version, CatalogError?.none)
            } catch { return (before, error) }
        }.value
        version = after
        if let problem {
            summary.datedFiles -= changes.count
            let isFirstReason = summary.ending == .completed || summary.ending == .cancelled
            if isFirstReason { summary.ending = .stopped(.catalog(problem)) }
        }
    }
}
