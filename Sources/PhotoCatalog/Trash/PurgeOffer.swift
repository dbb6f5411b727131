import NIOCore

/// The effect of purging photos from the trash, for confirmation by the user.
package struct PurgeOffer: Sendable, Equatable {
    /// The contents that exist only in the trash. Files that belong to a chosen photo come before all chosen photos, so
    /// that an interrupted purge leaves the photos, by which the remaining files are found again.
    package let contents: [ContentDigest]
    /// The total size of these contents in bytes.
    package let bytes: Int64
    /// Selected contents that are kept, because the library also has them outside the trash.
    package let keptContents: Int

    /// - Parameter photos: The chosen photos, to which the files that belong to them are added; `nil` for everything in
    ///   the trash.
    package init(_ photos: Set<ContentDigest>?, in catalog: Catalog) {
        let meant = Self.selected(photos, in: catalog.trash)
        let deletable = catalog.purgeable(before: .distantFuture).filter(meant.contains)
        let chosen = photos ?? []
        contents = deletable.filter { !chosen.contains($0) } + deletable.filter(chosen.contains)
        keptContents = meant.count - contents.count
        let wanted = Set(contents)
        bytes = catalog.contentsWithTrash.lazy.filter { wanted.contains($0.md5) }
            .reduce(0) { $0.addingCapped($1.size) }
    }

    private static func selected(_ photos: Set<ContentDigest>?, in trash: CatalogEntries) -> Set<ContentDigest> {
        guard let photos else { return Set(trash.contents) }
        let chosen = trash.filtered { photos.contains($0.md5) }
        return Set(chosen.completedFromPrimaries(from: trash).contents)
    }

    /// An identifier of the set of contents.
    package var contentsID: ContentDigest { contentsID(without: []) }

    /// Returns the identifier after some of the contents have been deleted.
    package func contentsID(without deleted: [ContentDigest]) -> ContentDigest {
        let left = Set(contents).subtracting(deleted).sorted()
        return ContentDigest(of: ByteBuffer(string: left.map(\.description).joined(separator: " ")))
    }
}

extension CatalogEntries {
    fileprivate var contents: some Sequence<ContentDigest> { order.lazy.map { catalog.records[Int($0)].md5 } }
}
