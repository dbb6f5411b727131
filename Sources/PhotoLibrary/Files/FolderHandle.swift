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

    /// The folder behind several names, each made where it is missing.
    func descend(_ names: [String]) throws(FileError) -> FolderHandle {
        var folder = self
        for name in names { folder = try folder.enter(name) }
        return folder
    }

    /// Removes a name if it is there.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    private func enter(_ name: String) throws(FileError) -> FolderHandle {
        guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw .last }
        return try FolderHandle(owning: openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }
}
