import PhotoCatalog
import Sharing
import UseCases

/// The pictures of shared links: the cover of the album, or the newest of the photos.
struct SharedLinkCovers {
    /// The signed addresses, of links that show a photo.
    let urls: [SharedLinkID: String]
    /// The origin of the addresses.
    let origin: String

    /// One pass over the photos of the library for the albums and one for all other links together.
    init(_ links: [SharedLink], _ context: PageContext, _ page: AccountPage) async throws {
        let library = context.services.library
        var shown: [(link: SharedLinkID, photo: ContentDigest)] = []
        let albums = try await library.albums(page.caller)
        let covers = Dictionary(uniqueKeysWithValues: albums.map { ($0.album.id, $0.cover?.md5) })
        let newest = try await Self.order(of: links, library, page)
        for link in links {
            let photo: ContentDigest? =
                switch link.document.content {
                case .album(let id): AlbumID(id).flatMap { covers[$0] ?? nil }
                case .photos(let photos):
                    photos.compactMap { ContentDigest($0) }.filter { newest[$0] != nil }
                        .min { (newest[$0] ?? 0) < (newest[$1] ?? 0) }
                }
            if let photo { shown.append((link.id, photo)) }
        }
        let signed = try await library.presignedURLs(shown.map { .thumbnail($0.photo) }, caller: page.caller)
        urls = Dictionary(zip(shown.map(\.link), signed.urls)) { first, _ in first }
        origin = signed.origin
    }

    /// Returns the order of the photos in links to photos, from the newest.
    private static func order(
        of links: [SharedLink], _ library: LibraryService, _ page: AccountPage
    ) async throws -> [ContentDigest: Int] {
        var photos: Set<ContentDigest> = []
        for link in links {
            guard case .photos(let shared) = link.document.content else { continue }
            photos.formUnion(shared.compactMap { ContentDigest($0) })
        }
        guard !photos.isEmpty else { return [:] }
        let found = try await library.showLibrary(page.caller).photos.photos(photos)
        return Dictionary(found.enumerated().map { ($1.md5, $0) }) { first, _ in first }
    }
}
