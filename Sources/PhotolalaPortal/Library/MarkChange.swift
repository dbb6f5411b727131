import Localization
import UseCases

/// A change of marks of photos, after which a page shows a notice with an undo.
struct MarkChange {
    /// The parameter of the page's address that has the number of photos.
    let name: String
    let text: TextName
    /// The path of the form that changes the mark.
    let path: String
    let field: String
    /// The value of the field that undoes the change.
    let undoing: String

    static let all = [
        MarkChange(
            name: "favorited", text: .favorited, path: LibraryQuery.favoritesPath, field: "favorite", undoing: "0"),
        MarkChange(
            name: "unfavorited", text: .unfavorited, path: LibraryQuery.favoritesPath, field: "favorite", undoing: "1"),
        MarkChange(
            name: "archived", text: .photosArchived, path: LibraryQuery.archivePath, field: "archived", undoing: "0"),
        MarkChange(
            name: "unarchived", text: .photosUnarchived, path: LibraryQuery.archivePath, field: "archived", undoing: "1"
        ),
    ]
}
