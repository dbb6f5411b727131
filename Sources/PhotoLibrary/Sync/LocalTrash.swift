/// The folder's own trash: files are moved there by their path, below the day, and never over anything. Nothing in it is
/// ever looked at again by a sync. Blocks.
struct LocalTrash: Sendable {
    /// Of what was moved there.
    struct Place: Sendable {
        let folder: FolderHandle
        let name: String
        /// The file's own date, which it keeps.
        let modified: Timestamp
    }

    private static let name = "\(LibraryPath.ownNames)-trash"

    private let root: FolderHandle
    /// As `2026-11-22`.
    private let day: String

    init(root: FolderHandle, day: String) {
        self.root = root
        self.day = day
    }

    /// Moves a file there if it is still the one that was seen.
    /// - Returns: where it is now; `nil` when it is another file by now, which stays.
    func take(_ path: LibraryPath, _ stamp: FileStamp, _ md5: ContentDigest) throws(FileError) -> Place? {
        let home = try root.descend(path.folders, makes: false)
        let file = try OpenFile(in: home, name: path.name)
        guard try file.stamp() == stamp, try file.digest() == md5, try file.stamp() == stamp else { return nil }
        let folder = try root.descend([Self.name, day] + path.folders)
        let digest = md5.description
        let names = [path.name] + [8, 32].compactMap { path.remarked("trashed \(digest.prefix($0))")?.name }
        for name in names {
            do throws(FileError) {
                try home.move(path.name, to: folder, as: name)
                root.removeEmpty(path.folders)
                return Place(folder: folder, name: name, modified: stamp.modified)
            } catch {
                guard error == .exists else { throw error }
            }
        }
        throw .exists
    }

    /// Takes a file out again, to a place where nothing stands.
    func give(_ place: Place, to path: LibraryPath) throws(FileError) {
        try place.folder.move(place.name, to: try root.descend(path.folders), as: path.name)
    }
}
