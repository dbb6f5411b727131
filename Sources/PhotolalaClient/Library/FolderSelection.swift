import PhotoCatalog

/// The files of a folder that are backed up, and their place in the library.
public struct FolderSelection: Sendable, Equatable {
    /// The files to leave out.
    public var patterns = FolderPatterns()

    /// The only files to back up, by their paths in the folder, separated by `/`; `nil` for all. A path without a photo
    /// or video is a failure in the report. A status counts all files.
    public var files: [String]?

    /// The folder of the library to which the files belong, such as `Phones/Bob`; `nil` for its root.
    public var destination: String?

    /// Selects all files of a folder, for the root of the library.
    public init() {}

    /// Throws the error with which an operation would reject the selection.
    package func check() throws(PhotolalaError) { _ = try wantedFiles(in: try checkedDestination()) }

    /// - Throws: `invalidRequest` if the destination cannot be a folder of a library.
    func checkedDestination() throws(PhotolalaError) -> LibraryPath? {
        guard let destination else { return nil }
        guard let path = LibraryPath(destination) else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "“\(destination)” is not a valid folder of the library.")
        }
        return path
    }

    /// Returns the paths in the library of the only files to back up.
    /// - Throws: `invalidRequest` if a path is not possible.
    func wantedFiles(in destination: LibraryPath?) throws(PhotolalaError) -> Set<LibraryPath>? {
        guard let files else { return nil }
        var wanted: Set<LibraryPath> = []
        for file in files {
            guard let path = LibraryPath(file), let inLibrary = destination.map({ $0.appending(file) }) ?? path else {
                throw PhotolalaError(code: .invalidRequest, detail: "“\(file)” is not a valid path in a folder.")
            }
            wanted.insert(inLibrary)
        }
        return wanted
    }
}
