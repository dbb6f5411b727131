import PhotoLibrary

/// Photos of the library, made one by one as they are asked for: a million of them take about 150 MB.
public struct LibraryPhotos: RandomAccessCollection, Sendable {
    private let entries: CatalogEntries

    init(_ entries: CatalogEntries) { self.entries = entries }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of photos.
    public var endIndex: Int { entries.count }

    /// The photo at a position. Constant time.
    public subscript(index: Int) -> LibraryPhoto { LibraryPhoto(entries[index], trashed: entries.trashed(index)) }

    /// Their lengths added up.
    public var bytes: Int64 { entries.bytes }

    /// The same photos in another order, the smallest first; those that are equal in it by path.
    public func ordered(by order: PhotoOrder, reversed: Bool = false) -> LibraryPhotos {
        switch order {
        case .path: LibraryPhotos(entries.ordered(by: .path, reversed: reversed))
        case .date: LibraryPhotos(entries.ordered(by: .date, reversed: reversed))
        case .size: LibraryPhotos(entries.ordered(by: .size, reversed: reversed))
        }
    }
}

/// By what photos are put in order.
public enum PhotoOrder: String, Sendable, CaseIterable {
    case path
    /// What clocks showed where it was taken or, unknown, when the file was last changed, in UTC.
    case date
    case size
}
