/// What a scan of one folder found.
package struct LocalScan: Sendable {
    /// The folder's real path.
    package let folder: String
    /// The photos, videos and sidecars that could be read, in the order of their paths.
    package var photos: [CatalogEntry] = []
    /// Those of them that were not known before.
    package var readFiles = 0
    package var problems: [ScanProblem]
    package let leftOut: [LeftOutFile]
    package let clashes: [NameClash]

    init(folder: String, found: ScanResult) {
        self.folder = folder
        (problems, leftOut, clashes) = (found.problems, found.leftOut, found.clashes)
    }

    /// Their bytes.
    package var bytes: Int64 { photos.reduce(0) { $0 + $1.size } }

    /// Files whose content another one has, too: lists of at least two, in the order of their first paths.
    package var duplicates: [[CatalogEntry]] {
        Dictionary(grouping: photos.filter { !$0.type.isSidecar }, by: \.md5).values.filter { $0.count > 1 }
            .sorted { $0[0].path < $1[0].path }
    }

    /// Those that were taken first and last, by what clocks showed there, or by their files' dates.
    package var ends: (first: CatalogEntry, last: CatalogEntry)? {
        let dated = photos.filter { !$0.type.isSidecar }
        guard let first = dated.min(by: { $0.date < $1.date }), let last = dated.max(by: { $0.date < $1.date }) else {
            return nil
        }
        return (first, last)
    }
}
