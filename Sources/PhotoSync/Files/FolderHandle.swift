#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open folder. Descending from it never follows links, so a path of names cannot lead out of it, even if the folder
/// is modified concurrently. All calls block.
final class FolderHandle: Sendable {
    let descriptor: CInt

    /// Opens a folder chosen by the user. Links in its path are followed.
    convenience init(_ path: String) throws(FileError) {
        try self.init(owning: LocalName.withPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    private init(owning descriptor: CInt) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns whether a path still refers to this folder: not if something else was mounted or moved there.
    func isLocated(at path: String) throws(FileError) -> Bool {
        var (ownStatus, otherStatus) = (stat(), stat())
        guard fstat(descriptor, &ownStatus) == 0, LocalName.withPath(path, { stat($0, &otherStatus) }) == 0 else {
            throw .last
        }
        return ownStatus.st_dev == otherStatus.st_dev && ownStatus.st_ino == otherStatus.st_ino
    }

    /// Opens the folder at a path of names below this one.
    /// - Parameter makes: Creates missing folders.
    func descend(_ names: [String], makes: Bool = true) throws(FileError) -> FolderHandle {
        var folder = self
        for name in names { folder = try folder.enter(name, makes: makes) }
        return folder
    }

    /// Returns the fingerprint of the file with a name; `nil` if there is none.
    func fingerprint(of name: String) throws(FileError) -> FileFingerprint? {
        var status = stat()
        let result = LocalName.withPath(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else {
            if errno == ENOENT { return nil }
            throw .last
        }
        return FileFingerprint(status)
    }

    /// Returns whether a name is free, or refers to a regular file with no other name.
    func mayContinue(_ name: String) -> Bool {
        var status = stat()
        let result = LocalName.withPath(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        return result != 0 || status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    /// Returns whether a name refers to a folder.
    func isFolder(_ name: String) throws(FileError) -> Bool {
        var status = stat()
        let result = LocalName.withPath(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else {
            if errno == ENOENT { return false }
            throw .last
        }
        return status.isFolder
    }

    /// Moves a file to another folder of the same file system.
    /// - Throws: `exists` if the new name is taken; an existing file is never replaced.
    func move(_ name: String, to folder: FolderHandle, as newName: String) throws(FileError) {
        let isLinked = LocalName.withPath(name) { name in
            LocalName.withPath(newName) { linkat(descriptor, name, folder.descriptor, $0, 0) == 0 }
        }
        if isLinked {
            remove(name)
            return
        }
        var error = FileError.last
        if error == .exists, try isSame(name, as: newName, in: folder) {
            // An earlier move was interrupted between link and unlink.
            remove(name)
            return
        }
        guard error == .denied || error == .unsupported else { throw error }
        // The file system has no hard links: checks the name, then renames.
        error = .exists
        guard try folder.fingerprint(of: newName) == nil else { throw error }
        let isRenamed = LocalName.withPath(name) { name in
            LocalName.withPath(newName) { renameat(descriptor, name, folder.descriptor, $0) == 0 }
        }
        guard isRenamed else { throw .last }
    }

    private func isSame(_ name: String, as other: String, in folder: FolderHandle) throws(FileError) -> Bool {
        var (ownStatus, otherStatus) = (stat(), stat())
        guard LocalName.withPath(name, { fstatat(descriptor, $0, &ownStatus, AT_SYMLINK_NOFOLLOW) }) == 0,
            LocalName.withPath(other, { fstatat(folder.descriptor, $0, &otherStatus, AT_SYMLINK_NOFOLLOW) }) == 0
        else { throw .last }
        return ownStatus.st_dev == otherStatus.st_dev && ownStatus.st_ino == otherStatus.st_ino
            && ownStatus.st_nlink > 1
    }

    /// Removes a folder if it is empty, and then each parent below this folder that has become empty.
    func removeEmpty(_ names: [String]) {
        var names = names
        while let name = names.popLast(), let above = try? descend(names, makes: false) {
            guard LocalName.withPath(name, { unlinkat(above.descriptor, $0, AT_REMOVEDIR) }) == 0 else { return }
        }
    }

    /// Removes a folder below this one, at a path of names, if it is empty.
    func removeEmpty(_ name: String, in names: [String]) {
        guard let above = try? descend(names, makes: false) else { return }
        _ = LocalName.withPath(name) { unlinkat(above.descriptor, $0, AT_REMOVEDIR) }
    }

    /// Removes a file if it exists.
    /// - Returns: The error, if the file is still there.
    @discardableResult func remove(_ name: String) -> FileError? {
        let isRemoved = LocalName.withPath(name) { unlinkat(descriptor, $0, 0) } == 0
        return isRemoved || errno == ENOENT ? nil : .last
    }

    private func enter(_ name: String, makes: Bool) throws(FileError) -> FolderHandle {
        guard !makes || LocalName.withPath(name, { mkdirat(descriptor, $0, 0o777) }) == 0 || errno == EEXIST else {
            throw .last
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return try FolderHandle(owning: LocalName.withPath(name) { openat(descriptor, $0, flags) })
    }
}
