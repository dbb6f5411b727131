/// What one file of a catalog says: entries of its own, and the names of other files whose entries belong to it.
package struct CatalogFile: Sendable, Equatable {
    package var rows = Catalog()
    /// In the order of their digests, where it was read or is about to be written.
    var parts: [CatalogPart] = []
    /// The line of snapshots that it belongs to; `nil` in a part, and in what was written before there were lines.
    var origin: ContentDigest?
    /// The last purge; `nil` in a part, and before there was one.
    var purge: CatalogPurge?
    /// Whether it has the columns that came later.
    var hasStamps = true

    package init() {}

    /// The largest counter of any stamp in it and its parts.
    var highestCounter: UInt64 { parts.reduce(rows.highestCounter) { max($0, $1.counter) } }
}

/// A file that another one names as a part of itself.
struct CatalogPart: Sendable, Hashable {
    let digest: ContentDigest
    /// Length in bytes.
    let size: Int64
    /// The largest counter of any stamp in it and its own parts.
    let counter: UInt64

    /// As a path of the catalog that names it.
    var path: String { "\(LibraryPath.ownNames).\(digest).csv" }
}
