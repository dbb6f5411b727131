import NIOCore
import PhotoCatalog

/// A photo of an export, with its sidecar.
package struct ExportItem: Sendable {
    package let entry: CatalogEntry
    /// Its path in the catalog, which differs from the entry's if it is shown beside another photo; `nil` if the catalog
    /// does not list it.
    package let catalogPath: LibraryPath?
    /// The stored length in bytes. Differs from the catalog's if the photo is damaged.
    package let size: Int64
    package let isInTrash: Bool
    /// Its path in the archive.
    package let name: String
    /// The path and the bytes of the JSON file beside it.
    package let sidecar: ExportFile?

    package var photoEntry: ZipEntry { ZipEntry(name: name, size: size, modified: entry.modified) }
    package var sidecarEntry: ZipEntry? {
        sidecar.map { ZipEntry(name: $0.path, size: Int64($0.bytes.readableBytes), modified: entry.modified) }
    }
}

/// The stored photos of a library, of its trash, and those that are not in the catalog, created on access.
package struct ExportItems: Sendable {
    private let photos: CatalogEntries
    private let trash: CatalogEntries
    private let stored: StoreDifferences
    private let contents: CatalogContents
    /// The indices of the stored photos; those in the trash follow those in the library.
    private let indices: [UInt32]
    // Files that generated sidecars must not replace.
    private let photoSidecars: Set<LibraryPath>
    private let trashSidecars: Set<LibraryPath>
    private let trashFolders: Set<LibraryPath>

    init(_ catalog: Catalog, _ stored: StoreDifferences) {
        let (photos, trash) = (catalog.entries, catalog.trash)
        (self.photos, self.trash, self.stored, contents) = (photos, trash, stored, catalog.contentsWithTrash)
        photoSidecars = photos.paths(endingWith: TakeoutSidecar.suffix)
        trashFolders = trash.folders()
        trashSidecars = trash.paths(endingWith: TakeoutSidecar.suffix)
        indices = (0..<UInt32(photos.count + trash.count)).filter { index in
            let index = Int(index)
            let digest =
                index < photos.count
                ? photos.identity(at: index).md5 : trash.identity(at: index - photos.count).md5
            return stored.has(digest)
        }
    }

    package var count: Int { indices.count + stored.unlisted.count }

    package subscript(position: Int) -> ExportItem {
        guard position < indices.count else { return unlistedItem(position - indices.count) }
        let index = Int(indices[position])
        return index < photos.count ? photoItem(index) : trashItem(index - photos.count)
    }

    private func photoItem(_ index: Int) -> ExportItem {
        let (entry, catalogPath) = (photos[index], photos.identity(at: index).path)
        guard Self.isPlain(entry.path) else { return renamedItem(entry, catalogPath, index, isInTrash: false) }
        return item(
            entry, catalogPath, "\(ExportPath.photos)/\(entry.path)",
            withSidecar: !Self.isDescribed(entry.path, by: photoSidecars), isInTrash: false)
    }

    private func trashItem(_ index: Int) -> ExportItem {
        let entry = trash[index]
        // Contents that were at the same path follow each other.
        let isRepeated = index > 0 && trash.identity(at: index - 1).path == entry.path
        guard Self.isPlain(entry.path), !isRepeated, !trashFolders.contains(entry.path) else {
            return renamedItem(entry, entry.path, photos.count + index, isInTrash: true)
        }
        return item(
            entry, entry.path, "\(ExportPath.trash)/\(entry.path)",
            withSidecar: !Self.isDescribed(entry.path, by: trashSidecars), isInTrash: true)
    }

    /// Returns the item of a photo whose path not every system shows as it is, or that shares it with others. It is in a
    /// folder of its own.
    private func renamedItem(
        _ entry: CatalogEntry, _ catalogPath: LibraryPath, _ number: Int, isInTrash: Bool
    ) -> ExportItem {
        let plain = entry.path.name.utf8.map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }
        let name = "\(ExportPath.renamed)/\(number + 1)/\(String(decoding: plain, as: UTF8.self))"
        return item(entry, catalogPath, name, withSidecar: true, isInTrash: isInTrash)
    }

    /// Returns whether the library has a file that describes a photo, in the form of Google Takeout.
    private static func isDescribed(_ photo: LibraryPath, by sidecars: Set<LibraryPath>) -> Bool {
        guard !sidecars.isEmpty else { return false }
        let folder = photo.folder
        return SidecarName.takeoutNames(of: photo.name).contains { name in
            LibraryPath(folder.isEmpty ? name : "\(folder)/\(name)").map(sidecars.contains) ?? false
        }
    }

    private func unlistedItem(_ index: Int) -> ExportItem {
        let (md5, size) = stored.unlisted[index]
        let entry = CatalogEntry(
            path: LibraryPath(known: "\(md5).dat"), md5: md5, size: size,
            modified: Timestamp(seconds: 0, nanoseconds: 0), type: .unknown, media: MediaFacts())
        return ExportItem(
            entry: entry, catalogPath: nil, size: size, isInTrash: false, name: "\(ExportPath.unlisted)/\(entry.path)",
            sidecar: nil)
    }

    private func item(
        _ entry: CatalogEntry, _ catalogPath: LibraryPath, _ name: String, withSidecar: Bool, isInTrash: Bool
    ) -> ExportItem {
        let sidecars: [MediaType] = [.xmp, .appleEdits, .takeoutDescription]
        let sidecarName = "\(name)\(TakeoutSidecar.suffix)"
        // File systems limit the length of names. A file without any date has no sidecar, whose date would be 1970.
        let hasSidecar =
            withSidecar && !sidecars.contains(entry.type) && (entry.taken != nil || entry.modified.seconds != 0)
            && LibraryPath(sidecarName) != nil
        return ExportItem(
            entry: entry, catalogPath: catalogPath,
            size: stored.sizes[entry.md5] ?? contents[entry.md5] ?? entry.size, isInTrash: isInTrash, name: name,
            sidecar: hasSidecar
                ? ExportFile(path: sidecarName, bytes: TakeoutSidecar.bytes(entry, isInTrash: isInTrash)) : nil)
    }

    /// The number of the catalog's entries that are not stored.
    package var missingCount: Int { leftOut { stored.missing.contains($0) } }
    /// The number of the catalog's entries that are archived in the store and left out.
    package var archivedCount: Int { leftOut { stored.archived.contains($0) } }
    /// The number of photos that the catalog does not list. They are the last ones.
    package var unlistedCount: Int { stored.unlisted.count }

    /// Returns the catalog's entries that are not stored.
    package func missingEntries() -> [CatalogEntry] { leftOutEntries { stored.missing.contains($0) } }

    /// Returns the catalog's entries that are archived in the store and left out.
    func archivedEntries() -> [CatalogEntry] { leftOutEntries { stored.archived.contains($0) } }

    private var isComplete: Bool { photos.count + trash.count == indices.count }

    private func leftOut(_ isLeftOut: (ContentDigest) -> Bool) -> Int {
        guard !isComplete else { return 0 }
        return photos.indices.count { isLeftOut(photos.identity(at: $0).md5) }
            + trash.indices.count { isLeftOut(trash.identity(at: $0).md5) }
    }

    private func leftOutEntries(_ isLeftOut: (ContentDigest) -> Bool) -> [CatalogEntry] {
        guard !isComplete else { return [] }
        return photos.filter { isLeftOut($0.md5) } + trash.filter { isLeftOut($0.md5) }
    }

    /// Returns whether every system shows a path as it is. Some treat a backslash as a separator.
    static func isPlain(_ path: LibraryPath) -> Bool { path.description.utf8.allSatisfy(isPlain) }

    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f && byte != UInt8(ascii: "\\") }
}
