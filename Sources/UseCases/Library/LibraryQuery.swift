import PhotoCatalog
import PhotolalaAPI

/// What a page shows of a library: one of its lists, or the photos in it that a search finds.
package struct LibraryQuery: Sendable, Equatable {
    /// The maximum length of a search in bytes.
    package static let maximumLength = 600
    /// The maximum number of words in a search.
    static let maximumWords = 16

    package let list: PhotoList
    /// The search as it was typed; empty for all photos.
    package let text: String
    package let kind: MediaKind?
    package let isFavorite: Bool
    package let album: AlbumID?
    private let words: [SearchWord]

    /// - Throws: `invalidRequest` for a search that is too long.
    package init(
        _ list: PhotoList, text: String = "", kind: MediaKind? = nil, isFavorite: Bool = false,
        album: AlbumID? = nil, _ vocabulary: SearchVocabulary
    ) throws(ServiceError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .invalidRequest("The search is longer than \(Self.maximumLength) bytes.")
        }
        words = SearchWord.words(of: text, vocabulary)
        guard words.count <= Self.maximumWords else {
            throw .invalidRequest("The search has more than \(Self.maximumWords) words.")
        }
        (self.list, self.text, self.kind, self.isFavorite, self.album) = (list, text, kind, isFavorite, album)
    }

    /// Whether it shows the whole list.
    package var isWhole: Bool { words.isEmpty && kind == nil && !isFavorite && album == nil }

    var selection: PhotoSelection {
        var selection = PhotoSelection()
        selection.words = words
        if let kind { selection.kinds = [kind] }
        if isFavorite { selection.isFavorite = true }
        selection.album = album?.description
        return selection
    }
}

/// The photos that a page shows.
package struct LibraryView: Sendable {
    package let timeline: Timeline
    package let favorites: Favorites
    /// The album that the query is for.
    package let album: Album?
    /// Changes with each version of the library and, if the photos depend on them, of the favorites and albums.
    package let name: String
    /// All files of the list, also those that the query does not find.
    let entries: CatalogEntries

    /// Returns photos that the view shows, with the files that belong to them.
    package func files(of photos: Set<ContentDigest>) -> [CatalogEntry] {
        Array(timeline.photos(photos).completed(from: entries))
    }

    /// Returns all paths of a content.
    package func paths(of md5: ContentDigest) -> [LibraryPath] { entries.paths(of: md5) }

    /// Returns the video of a Live Photo. The view must be of the photos that are not in the trash.
    package func liveVideo(of picture: CatalogEntry) -> CatalogEntry? { entries.liveVideo(of: picture) }
}
