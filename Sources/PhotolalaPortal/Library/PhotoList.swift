import PhotoCatalog
import UseCases

/// The part of a library that a page shows.
enum PhotoList: String, Sendable {
    case photos
    case trash

    func timeline(of library: OpenLibrary) -> Timeline {
        switch self {
        case .photos: library.photos
        case .trash: library.trash
        }
    }

    /// The path of the page.
    var path: String {
        switch self {
        case .photos: Section.library.path
        case .trash: "/library/trash"
        }
    }

    /// The path of the form that acts on its photos.
    var action: String {
        switch self {
        case .photos: "/library/trash"
        case .trash: "/library/restore"
        }
    }
}
