import PhotoCatalog

extension ContentDigest {
    /// Returns a digest that depends only on the seed and begins with its hex digits.
    package static func seeded(_ seed: Int) throws -> ContentDigest {
        let digits = String(seed, radix: 16)
        return try unwrap(ContentDigest(digits + String(repeating: "0", count: 32 - digits.count)), "valid MD5")
    }
}

extension CatalogEntry {
    /// Returns the entry of a JPEG whose digest and size depend on the seed.
    package static func photo(
        _ path: String, seed: Int, modified: Int64 = 1_700_000_000, taken: Timestamp? = nil
    ) throws -> CatalogEntry {
        CatalogEntry(
            path: try unwrap(LibraryPath(path), "valid library path: \(path)"), md5: try .seeded(seed),
            size: Int64(1000 + seed), modified: Timestamp(seconds: modified, nanoseconds: 0), type: .jpeg,
            media: MediaFacts(taken: taken.flatMap { CaptureDate($0) })
        )
    }
}

extension CatalogChange {
    /// Returns the addition of a photo.
    /// - Parameter replacing: The seed of the photo that it replaces.
    package static func photo(
        _ path: String, seed: Int, modified: Int64 = 100, replacing: Int? = nil
    ) throws -> CatalogChange {
        .add(try .photo(path, seed: seed, modified: modified), replacing: try replacing.map { try .seeded($0) })
    }

    /// The added entry, or nil if the change adds none.
    package var entry: CatalogEntry? {
        guard case .add(let entry, _) = self else { return nil }
        return entry
    }
}
