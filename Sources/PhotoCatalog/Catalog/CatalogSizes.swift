/// The limits at which a catalog is divided into files. Together they keep a commit of few photos below 1 MiB of
/// traffic, regardless of the size of the library.
package struct CatalogSizes: Sendable {
    /// A snapshot's own entries become a part if they have more bytes than this.
    package var ownEntries = 32 << 10
    /// A snapshot with more bytes is not read for a commit, but becomes a part as it is.
    package var snapshot = 256 << 10
    /// The number of parts of similar size that are merged into one.
    package var partsOfOneSize = 6
    /// The bytes of parts that any commit may merge; a large commit may merge `joinedTimes` times its own size.
    package var joinedBytes = 288 << 10
    package var joinedTimes = 6
    /// The largest catalog that is written, in bytes of all its files. An entry has at least 55 bytes, so that a
    /// written catalog always has fewer entries than can be read.
    package var catalog: Int64 = 400 << 20
    /// The largest file, and the largest catalog in all its files, that is read, in bytes.
    package var readable = CatalogSizes.longest
    /// The largest number of parts in a catalog.
    package var parts = 100_000
    /// The largest number of files and bytes that are searched for a catalog without a pointer.
    package var salvageableFiles = Int.max
    package var salvageable = Int64.max
    /// The largest valid length of a part, in bytes.
    static let longest: Int64 = 1 << 30

    package init() {}
}
