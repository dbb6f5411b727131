#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open folder. Going down from one never follows a link, so a path made of names cannot lead out of it, whatever
/// somebody puts there meanwhile. All calls block.
final class FolderHandle: Sendable {
    let descriptor: CInt

    /// A folder of the person's own choice; links on the way to it are theirs.
    convenience init(_ path: String) throws(FileError) {
        try self.init(owning: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    private init(owning descriptor: CInt) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether it still is what stands at a path: not when something else was mounted there or moved there meanwhile.
    func isStill(at path: String) throws(FileError) -> Bool {
        var (mine, theirs) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, stat(path, &theirs) == 0 else { throw .last }
        return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
    }

    /// The folder behind several names.
    /// - Parameter makes: makes each where it is missing.
    func descend(_ names: [String], makes: Bool = true) throws(FileError) -> FolderHandle {
        var folder = self
        for name in names { folder = try folder.enter(name, makes: makes) }
        return folder
    }

    /// The stamp of what has a name; `nil` where there is nothing.
    func stamp(of name: String) throws(FileError) -> FileStamp? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .last
        }
        return FileStamp(status)
    }

    /// Moves a file to another folder of the same file system.
    /// - Throws: `exists` when something of that name is there; it is never replaced.
    func move(_ name: String, to folder: FolderHandle, as newName: String) throws(FileError) {
        if linkat(descriptor, name, folder.descriptor, newName, 0) == 0 { return remove(name) }
        var error = FileError.last
        if error == .exists, try isSame(name, as: newName, in: folder) {
            // A move that was interrupted between its two halves.
            return remove(name)
        }
        guard error == .denied || error == .unsupported else { throw error }
        // A file system without hard links: look, then rename.
        error = .exists
        guard try folder.stamp(of: newName) == nil else { throw error }
        guard renameat(descriptor, name, folder.descriptor, newName) == 0 else { throw .last }
    }

    private func isSame(_ name: String, as other: String, in folder: FolderHandle) throws(FileError) -> Bool {
        var (mine, theirs) = (stat(), stat())
        guard fstatat(descriptor, name, &mine, AT_SYMLINK_NOFOLLOW) == 0,
            fstatat(folder.descriptor, other, &theirs, AT_SYMLINK_NOFOLLOW) == 0
        else { throw .last }
        return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino && mine.st_nlink > 1
    }

    /// Removes a folder that has become empty, and those above it below this one.
    func removeEmpty(_ names: [String]) {
        var names = names
        while let name = names.popLast(), let above = try? descend(names, makes: false) {
            guard unlinkat(above.descriptor, name, AT_REMOVEDIR) == 0 else { return }
        }
    }

    /// Removes a name if it is there.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    private func enter(_ name: String, makes: Bool) throws(FileError) -> FolderHandle {
        guard !makes || mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw .last }
        return try FolderHandle(owning: openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }
}
