/// Where a catalog is divided. Together these keep what a commit of few photos moves below 1 MiB, however large the
/// library is.
package struct CatalogSizes: Sendable {
    /// A snapshot's own entries become a part when they are more bytes than this.
    package var ownEntries = 32 << 10
    /// A snapshot of more bytes is not read for a commit, but becomes a part as it is.
    package var snapshot = 256 << 10
    /// So many parts of about one size are put together.
    package var partsOfOneSize = 6
    /// Any commit may put together parts of so many bytes, a large one of so many times its own.
    package var joinedBytes = 288 << 10
    package var joinedTimes = 6
    /// A catalog is not written longer than this, all its files together. No entry is shorter than 55 bytes, so what is
    /// written is fewer of them than are read.
    package var catalog: Int64 = 400 << 20
    /// One file that is read may have this many bytes, and so may all of a catalog.
    package var readable = CatalogSizes.longest
    /// A catalog may have so many parts.
    package var parts = 100_000
    /// A catalog without a pointer is looked for in so many files of so many bytes, all together.
    package var salvageableFiles = Int.max
    package var salvageable = Int64.max
    /// No file says that a part of it is longer.
    static let longest: Int64 = 1 << 30

    package init() {}
}
