import PhotoCatalog

/// What the first sync of a folder downloads.
package struct SyncDownload: Sendable, Equatable {
    package let files: Int
    package let bytes: Int64

    init(_ arrivals: [SyncPlan.Arrival]) {
        files = arrivals.count
        bytes = arrivals.reduce(0) { $0.addingCapped($1.entry.size) }
    }
}
