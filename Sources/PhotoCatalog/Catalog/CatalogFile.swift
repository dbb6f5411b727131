/// One file of a catalog: its own entries, and the names of further files whose entries belong to it.
package struct CatalogFile: Sendable, Equatable {
    package var rows = Catalog()
    /// Sorted by digest after reading and before writing.
    var parts: [CatalogPart] = []
    /// The generation of snapshots that the file belongs to; `nil` in a part, and in files from before generations
    /// existed.
    var generation: ContentDigest?
    /// The last purge; `nil` in a part, and if there was none.
    package var purge: CatalogPurge?
    /// Whether the file has the columns that were added later.
    var hasTimestamps = true

    package init() {}

    /// The largest counter of any Lamport timestamp in the file and its parts.
    package var highestCounter: UInt64 { parts.reduce(rows.highestCounter) { max($0, $1.counter) } }
}

/// A file that another file references as a part.
struct CatalogPart: Sendable, Hashable {
    let digest: ContentDigest
    /// Length in bytes.
    let size: Int64
    /// The largest counter of any Lamport timestamp in the part and its own parts.
    let counter: UInt64

    /// The path under which the part is listed in the catalog file.
    var path: String { "\(LibraryPath.reservedPrefix).\(digest).csv" }
}
