import PhotoCatalog
import UseCases

/// The pictures of square tiles, which are crops. A thumbnail of a panorama is too low for them: its tile has the address
/// of a larger picture, too, which the page's script shows where the thumbnail has too few pixels and the other exists.
struct TilePictures {
    /// The template content of each tile; empty without a photo.
    let contents: [[String: String]]
    /// The origin of the addresses.
    let origin: String

    /// Signs two addresses for a panorama, and one for any other photo.
    init(_ photos: [CatalogEntry?], _ context: PageContext, _ page: AccountPage) async throws {
        let wanted = photos.map { $0.map(Self.links) ?? [] }
        let links = try await context.services.library.presignedURLs(wanted.flatMap { $0 }, caller: page.caller)
        var urls = links.urls[...]
        contents = wanted.map { wanted in
            Dictionary(zip(["cover", "sharper"], wanted.compactMap { _ in urls.popFirst() })) { first, _ in first }
        }
        origin = links.origin
    }

    private static func links(_ photo: CatalogEntry) -> [PhotoLink] {
        guard let proportion = photo.media.shownProportion, max(proportion, 1 / proportion) >= panorama else {
            return [.thumbnail(photo.md5)]
        }
        let hasPreview = Preview.isUseful(for: photo.type, size: photo.size, photo.media)
        // A small original is its own preview.
        guard hasPreview || photo.type.isShownByBrowsers, !photo.type.isVideo else { return [.thumbnail(photo.md5)] }
        return [.thumbnail(photo.md5), hasPreview ? .preview(photo.md5) : .original(photo)]
    }

    /// The proportion of its sides from which a photo is a panorama here.
    private static let panorama = 2.0
}
