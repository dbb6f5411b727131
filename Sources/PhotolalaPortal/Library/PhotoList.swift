import Flows
import PhotoLibrary

/// What of a library is looked through.
enum PhotoList: String, Sendable {
    case photos
    case trash

    func timeline(of library: OpenLibrary) -> Timeline {
        switch self {
        case .photos: library.photos
        case .trash: library.trash
        }
    }

    /// Where it is shown.
    var path: String {
        switch self {
        case .photos: Section.library.path
        case .trash: "/library/trash"
        }
    }

    /// What can be done with its photos.
    var act: String {
        switch self {
        case .photos: "/library/trash"
        case .trash: "/library/restore"
        }
    }
}
