import PhotoCatalog

/// A mapping of the files in a device's folder to catalog changes, instead of adding each at its path. Used only with a
/// loaded catalog.
protocol CatalogChangeMapping: Sendable {
    /// - Parameter file: The file, with its path in the folder.
    func changes(for file: CatalogEntry, in catalog: Catalog) -> [CatalogChange]

    /// Returns whether a file's content was permanently deleted from the library's trash, so that it need not be
    /// stored.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest, in catalog: Catalog) -> Bool
}
