import PhotoCatalog

/// The trash in the folder itself. Files are moved there under their path, below the current day, and never replace
/// others. A sync never reads its content. Blocks.
struct LocalTrash: Sendable {
    /// The location of a file in the trash.
    struct Location: Sendable {
        let folder: FolderHandle
        let name: String
        /// The modification date of the file, which is preserved.
        let modified: Timestamp
    }

    private static let name = "\(LibraryPath.reservedPrefix)-trash"

    private let root: FolderHandle
    /// For example `2026-11-22`.
    private let day: String

    init(root: FolderHandle, day: String) {
        self.root = root
        self.day = day
    }

    /// Moves a file to the trash if it is unchanged.
    /// - Returns: The new location; `nil` if the file has changed and therefore stays.
    func moveIn(_ path: LibraryPath, _ fingerprint: FileFingerprint, _ md5: ContentDigest) throws(FileError)
        -> Location?
    {
        let home = try root.descend(path.folders, makes: false)
        let file = try OpenFile(in: home, name: path.name)
        guard try file.fingerprint() == fingerprint, try file.digest() == md5, try file.fingerprint() == fingerprint
        else {
            return nil
        }
        let folder = try root.descend([Self.name, day] + path.folders)
        let digest = md5.description
        let names = [path.name] + [8, 32].compactMap { path.withRemark("trashed \(digest.prefix($0))")?.name }
        for name in names {
            do throws(FileError) {
                try home.move(path.name, to: folder, as: name)
                root.removeEmpty(path.folders)
                return Location(folder: folder, name: name, modified: fingerprint.modified)
            } catch {
                guard error == .exists else { throw error }
            }
        }
        throw .exists
    }

    /// Moves a file out of the trash to a free path.
    func moveOut(_ location: Location, to path: LibraryPath) throws(FileError) {
        try location.folder.move(location.name, to: try root.descend(path.folders), as: path.name)
    }
}
