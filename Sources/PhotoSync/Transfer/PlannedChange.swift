import PhotoCatalog

/// What a backup or sync would do with one file, in a dry run.
package struct PlannedChange: Sendable, Equatable {
    package enum Action: String, Sendable {
        case upload
        /// The content is stored; its path is added to the library.
        case add
        case download
        /// A file of the folder gets another path.
        case move
        /// A photo gets another path in the library, as its file has in the folder.
        case moveInLibrary
        case trashInLibrary
        case trashHere
    }

    package let action: Action
    /// The path in the library.
    package let path: LibraryPath
    /// The length in bytes; `nil` if it is unknown.
    package let size: Int64?
}
