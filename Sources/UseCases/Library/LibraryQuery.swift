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
    /// Whether it shows only hidden photos. All photos without a search are those that are not hidden.
    package let isHidden: Bool
    package let album: AlbumID?
    /// Where the photos were taken; `nil` for anywhere.
    package let place: PhotoPlace?
    /// The camera that took the photos; `nil` for any.
    package let camera: CameraName?
    /// The album to which the person adds some of the photos; it changes nothing of what is found.
    package let destination: AlbumID?
    private let words: [SearchWord]

    /// - Throws: `invalidRequest` for a search that is too long.
    package init(
        _ list: PhotoList, text: String = "", kind: MediaKind? = nil, isFavorite: Bool = false,
        isHidden: Bool = false, album: AlbumID? = nil, place: PhotoPlace? = nil, camera: CameraName? = nil,
        destination: AlbumID? = nil, _ vocabulary: SearchVocabulary
    ) throws(ServiceError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .invalidRequest("The search is longer than \(Self.maximumLength) bytes.")
        }
        words = SearchWord.words(of: text, vocabulary)
        guard words.count <= Self.maximumWords else {
            throw .invalidRequest("The search has more than \(Self.maximumWords) words.")
        }
        (self.list, self.text, self.kind, self.album) = (list, text, kind, album)
        (self.isFavorite, self.isHidden, self.place) = (isFavorite, isHidden, place)
        (self.camera, self.destination) = (camera, destination)
    }

    /// The kind that a word of the search names, such as `videos`; `nil` if none does.
    package var namedKind: MediaKind? { words.lazy.compactMap(Self.namedKind).first }

    /// Returns the search as it was typed without the words that name a kind.
    package func textWithoutKinds(_ vocabulary: SearchVocabulary) -> String {
        text.split(whereSeparator: \.isWhitespace)
            .filter { SearchWord.words(of: String($0), vocabulary).compactMap(Self.namedKind).isEmpty }
            .joined(separator: " ")
    }

    /// Returns the kind that a word names, if a search can be limited to it.
    private static func namedKind(_ word: SearchWord) -> MediaKind? {
        word.kind.flatMap { LibraryView.kinds.contains($0) ? $0 : nil }
    }

    /// Whether it shows the whole list, without the hidden photos.
    package var isWhole: Bool {
        words.isEmpty && kind == nil && !isFavorite && !isHidden && album == nil && place == nil && camera == nil
    }

    /// Whether its photos change when photos are hidden or shown again.
    package var dependsOnHidden: Bool { list == .photos && (isHidden || isWhole) }

    var selection: PhotoSelection {
        var selection = selectionOfAllKinds
        if let kind { selection.kinds = [kind] }
        return selection
    }

    /// The selection without its kind.
    var selectionOfAllKinds: PhotoSelection {
        var selection = PhotoSelection()
        selection.words = words
        if isFavorite { selection.isFavorite = true }
        if dependsOnHidden { selection.isHidden = isHidden }
        selection.album = album?.description
        return selection
    }
}

/// The photos that a page shows.
package struct LibraryView: Sendable {
    package let timeline: Timeline
    package let favorites: Favorites
    package let hidden: HiddenPhotos
    /// The album that the query is for.
    package let album: Album?
    /// The album to which the person adds photos.
    package let destination: Album?
    /// Changes with each version of the library and, if the photos depend on them, of the favorites, hidden photos and albums.
    package let name: String
    /// All files of the list, also those that the query does not find.
    let entries: CatalogEntries
    /// The most used cameras of the photos that the query finds without its camera; `nil` if it has no camera.
    let otherCameras: [CameraName]?
    /// The kinds of the photos that the query finds without its kind; `nil` if it has no kind.
    let otherKinds: [MediaKind]?

    /// Returns all paths of a content.
    package func paths(of md5: ContentDigest) -> [LibraryPath] { entries.paths(of: md5) }

    /// The largest number of cameras that `mostUsedCameras` returns.
    package static let mostCameras = 8

    /// Returns the most used cameras of the photos that the query finds, of any camera.
    package func mostUsedCameras() -> [CameraName] {
        otherCameras ?? timeline.photos.mostUsedCameras(Self.mostCameras)
    }

    /// The kinds to which a search can be limited.
    package static let kinds: [MediaKind] = [.photo, .video, .raw]

    /// Returns the kinds of the photos that the query finds, of any kind.
    package func kinds() -> [MediaKind] { otherKinds ?? timeline.photos.present(Self.kinds) }

    /// Returns whether the query finds a favorite.
    package func hasFavorite() -> Bool {
        timeline.photos.contains { favorites.contains($0.md5) }
    }

    /// Returns the video of a Live Photo. The view must be of the photos that are not in the trash.
    package func liveVideo(of picture: CatalogEntry) -> CatalogEntry? { entries.liveVideo(of: picture) }
}
