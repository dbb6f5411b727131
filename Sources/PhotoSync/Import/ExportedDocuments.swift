import LibraryExport
import PhotoCatalog

/// The albums, favorites and hidden photos of an export, in the form in which its library stored them.
struct ExportedDocuments: Sendable {
    let hidden: HiddenPhotos
    private(set) var favorites = Favorites()
    private(set) var albums = Albums()
    /// The documents that cannot be read. Their library could not read them either.
    private(set) var problems: [ScanProblem] = []

    /// - Parameter files: The files before the photos.
    /// - Throws: `hiddenUnreadable`: any photo may be one that its person hid.
    init(_ files: [ExportFile]) throws(LibraryImportError) {
        do throws(CatalogError) { hidden = try Self.read(files) } catch { throw .hiddenUnreadable }
        do throws(CatalogError) { favorites = try Self.read(files) } catch {
            problems.append(ScanProblem(path: "favorites", reason: .favorites(error)))
        }
        do throws(CatalogError) { albums = try Self.read(files) } catch {
            problems.append(ScanProblem(path: "albums", reason: .albums(error)))
        }
    }

    /// Returns a document; an empty one if the export has none.
    private static func read<Document: LibraryDocument>(_ files: [ExportFile]) throws(CatalogError) -> Document {
        let path = ExportPath.ownData(Document.name.fileName)
        guard let file = files.first(where: { $0.path == path }) else { return Document() }
        guard file.bytes.readableBytes <= Document.sizeLimit else { throw .document(Document.name, .damaged) }
        return try Document(file.bytes)
    }
}

/// What an import took over from an export beside its photos.
package struct ImportedDocuments: Sendable, Equatable {
    /// The number of contents that became hidden.
    package var hidden = 0
    /// The number of contents that became favorites.
    package var favorites = 0
    /// The number of albums that were created or got photos.
    package var albums = 0
    /// What could not be taken over.
    package var problems: [ScanProblem] = []

    package init(hidden: Int = 0, favorites: Int = 0, albums: Int = 0) {
        (self.hidden, self.favorites, self.albums) = (hidden, favorites, albums)
    }
}
