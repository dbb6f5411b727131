/// Decides what the files of a device's folder mean for the catalog, in place of adding each at its path. Asked only where
/// the catalog is at hand.
protocol BackupPlacing: Sendable {
    /// - Parameter file: with its path in the folder.
    func changes(for file: CatalogEntry, in catalog: Catalog) -> [CatalogChange]

    /// Whether a file's content was deleted from the library's trash for good, so that it need not be stored.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest, in catalog: Catalog) -> Bool
}
