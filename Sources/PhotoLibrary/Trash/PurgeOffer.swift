import NIOCore

/// What a purge of a library's trash would delete, as a person is asked about it.
package struct PurgeOffer: Sendable, Equatable {
    /// Contents that are nowhere but in the trash. Those that belong to a chosen photo come before all chosen ones: a purge
    /// that stops in between leaves the photo, by which the rest is found again.
    package let contents: [ContentDigest]
    /// Bytes of these contents.
    package let bytes: Int64
    /// Contents that were meant and stay, because the library has them outside the trash, too.
    package let keptContents: Int

    /// - Parameter photos: those that are meant, with what belongs to them; all that is in the trash where it is `nil`.
    package init(_ photos: Set<ContentDigest>?, in catalog: Catalog) {
        let meant = Self.meant(photos, in: catalog.trash)
        let deletable = catalog.purgeable(before: .distantFuture).filter(meant.contains)
        let chosen = photos ?? []
        contents = deletable.filter { !chosen.contains($0) } + deletable.filter(chosen.contains)
        keptContents = meant.count - contents.count
        let wanted = Set(contents)
        bytes = catalog.contentsWithTrash.lazy.filter { wanted.contains($0.md5) }
            .reduce(0) { $0.addingCapped($1.size) }
    }

    private static func meant(_ photos: Set<ContentDigest>?, in trash: CatalogEntries) -> Set<ContentDigest> {
        guard let photos else { return Set(trash.contents) }
        let chosen = trash.filtered { photos.contains($0.md5) }
        return Set(chosen.completedFromPrimaries(from: trash).contents)
    }

    /// The same for the same contents, and for no others.
    package var mark: ContentDigest { mark(without: []) }

    /// The mark once some of the contents are deleted.
    package func mark(without deleted: [ContentDigest]) -> ContentDigest {
        let left = Set(contents).subtracting(deleted).sorted()
        return ContentDigest(of: ByteBuffer(string: left.map(\.description).joined(separator: " ")))
    }
}

extension CatalogEntries {
    fileprivate var contents: some Sequence<ContentDigest> { order.lazy.map { catalog.records[Int($0)].md5 } }
}
