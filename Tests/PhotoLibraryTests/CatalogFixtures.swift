import NIOCore
import Testing

@testable import PhotoCatalog

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
            modified: Timestamp(seconds: modified, nanoseconds: 0), type: .jpeg,
            media: MediaFacts(taken: taken.flatMap { CaptureDate($0) })
        )
    }
}

extension CatalogChange {
    static func photo(_ path: String, seed: Int, modified: Int64 = 100, replacing: Int? = nil) throws -> CatalogChange {
        .add(try .photo(path, seed: seed, modified: modified), replacing: try replacing.map { try .seeded($0) })
    }

    /// The added entry, or nil if the change adds none.
    var entry: CatalogEntry? {
        guard case .add(let entry, _) = self else { return nil }
        return entry
    }
}

extension Catalog {
    /// Creates a catalog of photos added by one device.
    init(_ entries: [CatalogEntry]) {
        self.init(entries.map { .add($0, replacing: nil) }, after: 0, by: .none, trashed: 0)
    }

    /// Applies the changes of a device that knows this catalog, and returns the resulting conflicts.
    @discardableResult
    mutating func apply(_ changes: [CatalogChange], by device: UInt32 = 1, trashed: UInt32 = 1000) -> [CatalogConflict]
    {
        let (before, news) = (self, effectiveChanges(in: changes))
        join(Catalog(news, after: highestCounter, by: DeviceTag(value: device), trashed: trashed))
        return conflicts(made: news, since: before)
    }

    /// The path and the first two hex digits of the MD5 of each entry.
    var summary: [String] { entries.map { "\($0.path) \($0.md5.description.prefix(2))" } }
}
