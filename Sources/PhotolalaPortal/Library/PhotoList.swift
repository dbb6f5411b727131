import PhotolalaAPI

extension PhotoList {
    /// The path of the page.
    var path: String {
        switch self {
        case .photos: Section.photos.path
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
