import PhotoCatalog

/// The result of scanning one folder.
package struct LocalScan: Sendable {
    /// The resolved path of the folder.
    package let folder: String
    /// The photos, videos and sidecars that could be read, sorted by path.
    package var photos: [CatalogEntry] = []
    /// The number of files that were new and therefore read.
    package var readFiles = 0
    package var problems: [ScanProblem]
    package let leftOut: [LeftOutFile]
    package let clashes: [NameClash]

    init(folder: String, found: ScanResult) {
        self.folder = folder
        (problems, leftOut, clashes) = (found.problems, found.leftOut, found.clashes)
    }

    /// The total size in bytes.
    package var bytes: Int64 { photos.reduce(0) { $0 + $1.size } }

    /// Files with equal contents: groups of at least two, sorted by their first paths.
    package var duplicates: [[CatalogEntry]] {
        Dictionary(grouping: photos.filter { !$0.type.isSidecar }, by: \.md5).values.filter { $0.count > 1 }
            .sorted { $0[0].path < $1[0].path }
    }

    /// The photos or videos with the earliest and the latest date, by local time or, if that is unknown, by file date.
    package var firstAndLastTaken: (first: CatalogEntry, last: CatalogEntry)? {
        let dated = photos.filter { !$0.type.isSidecar }
        guard let first = dated.min(by: { $0.date < $1.date }), let last = dated.max(by: { $0.date < $1.date }) else {
            return nil
        }
        return (first, last)
    }
}
