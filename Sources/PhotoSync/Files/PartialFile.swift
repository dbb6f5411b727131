import NIOCore
import PhotoCatalog
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is written under a temporary name and gets its final name once it is complete. All calls block.
final class PartialFile: Sendable {
    private let folder: FolderHandle
    private let name: String
    private let file: OpenFile
    /// Bytes left by an earlier attempt.
    let foundLength: Int64
    /// Whether the file was removed, kept or published, so that the temporary name is no longer managed.
    private let isReleased = Atomic(false)
    private static let renaming = Mutex(())
    /// The number of attempts to open the file, because other processes may remove its name between two calls.
    private static let attempts = 4

    /// Opens the file that an earlier, interrupted attempt left under this name, or creates a new one.
    /// - Throws: `exists` while another process writes to it.
    init(in folder: FolderHandle, name: String) throws(FileError) {
        var opened: (file: OpenFile, length: Int64)?
        for _ in 0..<Self.attempts where opened == nil { opened = try Self.open(name, in: folder) }
        guard let opened else { throw .exists }
        self.folder = folder
        self.name = name
        (file, foundLength) = opened
    }

    deinit { remove() }

    /// Returns `nil` if the name referred to something else, which has been removed.
    private static func open(
        _ name: String, in folder: FolderHandle
    ) throws(FileError) -> (file: OpenFile, length: Int64)? {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        // A file created here is ours, whatever owner the file system assigns.
        let made = openat(folder.descriptor, name, flags | O_CREAT | O_EXCL, 0o666)
        if made < 0, errno != EEXIST { throw .last }
        let descriptor = made < 0 ? openat(folder.descriptor, name, flags) : made
        let file: OpenFile
        do throws(FileError) { file = try OpenFile(owning: descriptor) } catch {
            if error == .missing { return nil }
            guard error == .wrongKind || error == .denied else { throw error }
            guard unlinkat(folder.descriptor, name, 0) == 0 else { throw error }
            return nil
        }
        // The lock is held until the file is closed; on file systems without locks it is omitted.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .exists }
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { throw .last }
        guard fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0, opened.st_ino == named.st_ino,
            opened.st_dev == named.st_dev
        else { return nil }
        // A second link belongs to a finished file, after a crash. A file of another owner was not left by this user.
        guard made >= 0 || opened.st_nlink == 1 && isOwned(opened, name, in: folder) else {
            folder.remove(name)
            return nil
        }
        return (file, Int64(opened.st_size))
    }

    /// Returns whether a file was created by this user. Some file systems assign another owner to new files (NFS with
    /// squashed owners, disks mounted for another user); in that case the file must have the same owner as a new file.
    private static func isOwned(_ file: stat, _ name: String, in folder: FolderHandle) -> Bool {
        if file.st_uid == geteuid() { return true }
        let probe = "\(name).new"
        folder.remove(probe)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = openat(folder.descriptor, probe, flags, 0o600)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            folder.remove(probe)
        }
        var new = stat()
        return fstat(descriptor, &new) == 0 && new.st_uid == file.st_uid
    }

    func read(from offset: Int64, count: Int) throws(FileError) -> ByteBuffer {
        try file.read(from: offset, count: count)
    }

    /// Truncates the file at an offset, where appended bytes then start.
    func truncate(at offset: Int64) throws(FileError) {
        guard ftruncate(file.descriptor, off_t(offset)) == 0, lseek(file.descriptor, off_t(offset), SEEK_SET) >= 0
        else {
            throw .last
        }
    }

    /// Writes bytes at an offset, which may be beyond the end of the file.
    func write(_ bytes: ByteBuffer, at offset: Int64) throws(FileError) {
        var (rest, position) = (bytes, off_t(offset))
        while rest.readableBytes > 0 {
            let written = rest.withUnsafeReadableBytes { space in
                retrying { pwrite(file.descriptor, space.baseAddress, space.count, position) }
            }
            guard written > 0 else { throw .last }
            rest.moveReaderIndex(forwardBy: written)
            position += off_t(written)
        }
    }

    func append(_ bytes: ByteBuffer) throws(FileError) { try writeAll(bytes, to: file.descriptor) }

    /// Removes the temporary name, at most once: the next attempt may already have created a new file with this name.
    func remove() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        folder.remove(name)
        flock(file.descriptor, LOCK_UN)
    }

    /// Keeps the file for the next attempt.
    func preserve() {
        if !isReleased.exchange(true, ordering: .relaxed) { flock(file.descriptor, LOCK_UN) }
    }

    /// Flushes the bytes to disk, sets the modification date if there is one, and renames the file to its final name.
    /// - Throws: `exists` if the name is taken; an existing file is never replaced.
    func publish(as final: String, modified: Timestamp?) throws(FileError) {
        guard fsync(file.descriptor) == 0 else { throw .last }
        if let modified {
            let times = [modified.timespec, modified.timespec]
            guard futimens(file.descriptor, times) == 0 else { throw .last }
        }
        if LocalName.withPath(final, { linkat(folder.descriptor, name, folder.descriptor, $0, 0) }) == 0 {
            return remove()
        }
        let error = FileError.last
        guard error == .denied || error == .unsupported else { throw error }
        try rename(to: final)
        preserve()
    }

    /// Renames the file on a file system without hard links, after checking the name. Such file systems often treat
    /// different names as equal, so two files of this restore may need the same name at the same time; renames are
    /// therefore serialized.
    private func rename(to final: String) throws(FileError) {
        let result = Self.renaming.withLock { _ in
            Result { () throws(FileError) in
                var status = stat()
                let found = LocalName.withPath(final) { fstatat(folder.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
                guard found != 0 else { throw .exists }
                guard errno == ENOENT else { throw .last }
                let renamed = LocalName.withPath(final) { renameat(folder.descriptor, name, folder.descriptor, $0) }
                guard renamed == 0 else { throw .last }
            }
        }
        try result.get()
    }
}
