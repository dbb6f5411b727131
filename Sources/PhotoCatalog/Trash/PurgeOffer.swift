import NIOCore

/// The effect of purging photos from the trash, for confirmation by the user.
package struct PurgeOffer: Sendable, Equatable {
    /// The contents that exist only in the trash. Files that belong to a chosen photo come before all chosen photos, so
    /// that an interrupted purge leaves the photos, by which the remaining files are found again.
    package let contents: [ContentDigest]
    /// The total size of these contents in bytes.
    package let bytes: Int64
    /// The number of photos among these contents. If none of the chosen photos can be deleted, the files that belong to
    /// them count instead.
    package let photoCount: Int
    /// Chosen photos that are kept, because the library also has them outside the trash.
    package let keptPhotos: Int
    private let photos: Set<ContentDigest>

    /// - Parameter photos: The chosen photos, to which the files that belong to them are added; `nil` for everything in
    ///   the trash.
    package init(_ photos: Set<ContentDigest>?, in catalog: Catalog) {
        let meant = Self.selected(photos, in: catalog.trash)
        let deletable = catalog.purgeable(before: .distantFuture).filter(meant.contains)
        let chosen = (photos ?? Set(catalog.trash.photosWithoutDuplicates.contents)).intersection(meant)
        contents = deletable.filter { !chosen.contains($0) } + deletable.filter(chosen.contains)
        let wanted = Set(contents)
        let deleted = chosen.intersection(wanted)
        keptPhotos = chosen.count - deleted.count
        self.photos = deleted.isEmpty ? wanted : deleted
        photoCount = self.photos.count
        bytes = catalog.contentsWithTrash.lazy.filter { wanted.contains($0.md5) }
            .reduce(0) { $0.addingCapped($1.size) }
    }

    private static func selected(_ photos: Set<ContentDigest>?, in trash: CatalogEntries) -> Set<ContentDigest> {
        guard let photos else { return Set(trash.contents) }
        let chosen = trash.filtered { photos.contains($0.md5) }
        return Set(chosen.completedFromPrimaries(from: trash).contents)
    }

    /// Returns the number of photos among some of the contents.
    package func photoCount(among contents: some Sequence<ContentDigest>) -> Int { photos.intersection(contents).count }

    /// An identifier of the set of contents.
    package var contentsID: ContentDigest { contentsID(without: []) }

    /// Returns the identifier after some of the contents have been deleted.
    package func contentsID(without deleted: [ContentDigest]) -> ContentDigest {
        let left = Set(contents).subtracting(deleted).sorted()
        return ContentDigest(of: ByteBuffer(string: left.map(\.description).joined(separator: " ")))
    }
}

extension CatalogEntries {
    var contents: some Sequence<ContentDigest> { order.lazy.map { catalog.records[Int($0)].md5 } }
}
