import PhotoCatalog

/// The colors, durations and cameras that were found in stored photos. They are committed to the catalog in batches, for all
/// paths of each photo.
struct FactCommits {
    let catalogs: CatalogStore
    /// The number of contents of a commit.
    private static let size = 500
    private var facts: [ContentDigest: MediaFacts] = [:]
    /// The contents whose facts are in the catalog, and those without any.
    private(set) var settled: Set<ContentDigest> = []

    init(_ catalogs: CatalogStore) { self.catalogs = catalogs }

    var count: Int { facts.count }
    var isCommitDue: Bool { count >= Self.size }

    mutating func add(_ found: MediaFacts, of photo: ContentDigest) {
        if found.addsFacts(than: MediaFacts()) { facts[photo] = found } else { settled.insert(photo) }
    }

    /// Commits the pending facts, even if the task was cancelled. Those of a failed commit are given up.
    mutating func commit() async throws(CatalogError) {
        guard !facts.isEmpty else { return }
        let (catalogs, facts) = (catalogs, facts)
        self.facts = [:]
        let problem = await Task {
            do throws(CatalogError) {
                let version = try await catalogs.load()
                let changes = version.catalog.descriptions(facts)
                if !changes.isEmpty { _ = try await catalogs.commit(changes, onto: version) }
                return CatalogError?.none
            } catch { return error }
        }.value
        if let problem { throw problem }
        settled.formUnion(facts.keys)
    }
}
