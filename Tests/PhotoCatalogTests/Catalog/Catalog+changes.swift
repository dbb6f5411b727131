@testable import PhotoCatalog

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
