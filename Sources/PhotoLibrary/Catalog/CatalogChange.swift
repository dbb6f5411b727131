/// What a backup has to say to the catalog about one path.
package struct CatalogChange: Sendable, Equatable {
    package let entry: CatalogEntry
    /// The content that this device itself had put at the path before. It is replaced; anybody else's is kept.
    package let replacing: ContentDigest?

    package init(entry: CatalogEntry, replacing: ContentDigest?) {
        self.entry = entry
        self.replacing = replacing
    }
}
