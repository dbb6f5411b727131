import NIOCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that grows beside its place and gets its name only when it is whole. All calls block.
final class PartialFile: Sendable {
    private let folder: FolderHandle
    private let name: String
    private let descriptor: CInt
    private let isRemoved = Atomic(false)

    /// What an earlier, interrupted try left under this name is removed: never opened, for it may be a second name of a
    /// finished file.
    init(in folder: FolderHandle, name: String) throws(FileError) {
        folder.remove(name)
        let descriptor = openat(folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        self.folder = folder
        self.name = name
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        remove()
    }

    /// Takes the unfinished name away, once: by then the next try may have made a new file of this name.
    func remove() {
        if !isRemoved.exchange(true, ordering: .relaxed) { folder.remove(name) }
    }

    func append(_ bytes: ByteBuffer) throws(FileError) { try writeAll(bytes, to: descriptor) }

    /// Makes the bytes durable, sets the modification date and gives the file its name.
    /// - Throws: `exists` when something of that name is there; it is never replaced.
    func publish(as final: String, modified: Timestamp) throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
        let times = [modified.timespec, modified.timespec]
        guard futimens(descriptor, times) == 0 else { throw .last }
        if linkat(folder.descriptor, name, folder.descriptor, final, 0) == 0 { return remove() }
        let error = FileError.last
        guard error == .denied || error == .unsupported else { throw error }
        // A file system without hard links: look, then rename.
        var status = stat()
        guard fstatat(folder.descriptor, final, &status, AT_SYMLINK_NOFOLLOW) != 0 else { throw .exists }
        guard errno == ENOENT else { throw .last }
        guard renameat(folder.descriptor, name, folder.descriptor, final) == 0 else { throw .last }
        isRemoved.store(true, ordering: .relaxed)
    }
}
