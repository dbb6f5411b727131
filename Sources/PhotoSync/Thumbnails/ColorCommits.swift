import PhotoCatalog

/// The colors of thumbnails that were made of stored photos, which are committed to the catalog in batches.
struct ColorCommits {
    let catalogs: CatalogStore
    /// The number of contents of a commit.
    private static let size = 500
    private var colors: [ContentDigest: PictureColor] = [:]

    init(_ catalogs: CatalogStore) { self.catalogs = catalogs }

    var count: Int { colors.count }
    var isCommitDue: Bool { count >= Self.size }

    mutating func add(_ color: PictureColor?, of photo: ContentDigest) {
        if let color { colors[photo] = color }
    }

    /// Commits the pending colors, even if the task was cancelled. Those of a failed commit are given up.
    mutating func commit() async throws(CatalogError) {
        guard !colors.isEmpty else { return }
        let (catalogs, colors) = (catalogs, colors)
        self.colors = [:]
        let problem = await Task {
            do throws(CatalogError) {
                let version = try await catalogs.load()
                let changes = version.catalog.descriptions(colors)
                if !changes.isEmpty { _ = try await catalogs.commit(changes, onto: version) }
                return CatalogError?.none
            } catch { return error }
        }.value
        if let problem { throw problem }
    }
}

extension Catalog {
    /// Returns the changes that add colors to the entries of the library that have none.
    fileprivate func descriptions(_ colors: [ContentDigest: PictureColor]) -> [CatalogChange] {
        records.indices.compactMap { index in
            let record = records[index]
            guard record.isPresent, record.media.color == nil, let color = colors[record.md5] else { return nil }
            return description(of: index, media: MediaFacts(color: color))
        }
    }
}
