import PhotoCatalog

/// Photos of the library, created on access. One million entries use about 160 MB.
public struct LibraryPhotos: RandomAccessCollection, Sendable {
    private let entries: CatalogEntries
    private let favorites: Set<ContentDigest>
    private let hidden: Set<ContentDigest>
    /// The names of devices, if the changes of the photos are wanted.
    private let devices: [DeviceTag: String]?
    /// The contents of the library, for photos in the trash.
    private let library: CatalogContents?

    init(
        _ entries: CatalogEntries, favorites: Set<ContentDigest> = [], hidden: Set<ContentDigest> = [],
        devices: [DeviceTag: String]? = nil, library: CatalogContents? = nil
    ) {
        (self.entries, self.favorites, self.hidden) = (entries, favorites, hidden)
        (self.devices, self.library) = (devices, library)
    }

    /// The index 0.
    public var startIndex: Int { 0 }

    /// The number of photos.
    public var endIndex: Int { entries.count }

    /// Returns the photo at an index, in constant time.
    public subscript(index: Int) -> LibraryPhoto {
        let entry = entries[index]
        return LibraryPhoto(
            entry, isFavorite: favorites.contains(entry.md5), isHidden: hidden.contains(entry.md5),
            isInLibrary: library?[entry.md5] != nil, trashed: entries.trashed(index),
            changes: devices.map { LibraryPhoto.Changes(entries, index, $0) })
    }

    /// The total size, in bytes.
    public var bytes: Int64 { entries.bytes }

    /// Each photo once, by its first path: without sidecars and without companions of other files.
    public var withoutDuplicates: LibraryPhotos { reordered(entries.photosWithoutDuplicates) }

    private func reordered(_ entries: CatalogEntries) -> LibraryPhotos {
        LibraryPhotos(entries, favorites: favorites, hidden: hidden, devices: devices, library: library)
    }

    /// Returns the photos in another order, ascending unless reversed. Photos that compare equal are ordered by path.
    public func ordered(by order: PhotoOrder, reversed: Bool = false) -> LibraryPhotos {
        switch order {
        case .path: reordered(entries.ordered(by: .path, reversed: reversed))
        case .date: reordered(entries.ordered(by: .date, reversed: reversed))
        case .size: reordered(entries.ordered(by: .size, reversed: reversed))
        }
    }
}

/// The sort key of photos.
public enum PhotoOrder: String, Sendable, CaseIterable {
    case path
    /// The local time at which the photo was taken or, if unknown, the file's modification date in UTC.
    case date
    case size
}
