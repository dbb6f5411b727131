import NIOCore
import Testing

@testable import PhotoLibrary

extension ContentDigest {
    static func seeded(_ seed: Int) throws -> ContentDigest {
        let digits = String(seed, radix: 16)
        return try #require(ContentDigest(digits + String(repeating: "0", count: 32 - digits.count)))
    }
}

extension CatalogEntry {
    static func photo(
        _ path: String, seed: Int, modified: Int64 = 1_700_000_000, taken: Timestamp? = nil
    ) throws -> CatalogEntry {
        CatalogEntry(
            path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: Int64(1000 + seed),
            modified: Timestamp(seconds: modified, nanoseconds: 0), taken: taken, type: .jpeg
        )
    }
}

extension CatalogChange {
    static func photo(_ path: String, seed: Int, modified: Int64 = 100, replacing: Int? = nil) throws -> CatalogChange {
        CatalogChange(
            entry: try .photo(path, seed: seed, modified: modified), replacing: try replacing.map { try .seeded($0) }
        )
    }
}

extension Catalog {
    /// Path and the first hex digits of the content, for short comparisons.
    var summary: [String] { entries.map { "\($0.path) \($0.md5.description.prefix(2))" } }
}
