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
    private let file: OpenFile
    /// Bytes that an earlier try left.
    let foundLength: Int64
    /// Whether the name is not this file's concern any more.
    private let isLetGo = Atomic(false)
    private static let renaming = Mutex(())
    /// Somebody else may take the name away between two calls, but hardly so many times.
    private static let attempts = 4

    /// Opens what an earlier, interrupted try left under this name, or begins a new file.
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

    /// `nil` where something else had the name, which is out of the way now.
    private static func open(
        _ name: String, in folder: FolderHandle
    ) throws(FileError) -> (file: OpenFile, length: Int64)? {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        // What is made here is ours, whatever owner the file system gives it.
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
        // Held until it is closed; file systems without locks do without.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .exists }
        var (here, named) = (stat(), stat())
        guard fstat(descriptor, &here) == 0 else { throw .last }
        guard fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0, here.st_ino == named.st_ino,
            here.st_dev == named.st_dev
        else { return nil }
        // A second name is that of a finished file, after a crash. One of another owner is not what we left.
        guard made >= 0 || here.st_nlink == 1 && isOurs(here, name, in: folder) else {
            folder.remove(name)
            return nil
        }
        return (file, Int64(here.st_size))
    }

    /// Whether a file was made by this person. Some file systems give what is made on them to somebody else (NFS with
    /// squashed owners, disks mounted for another user): then it has the owner that a new file gets.
    private static func isOurs(_ file: stat, _ name: String, in folder: FolderHandle) -> Bool {
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

    /// Throws away what is behind an offset; what is appended comes there.
    func cut(at offset: Int64) throws(FileError) {
        guard ftruncate(file.descriptor, off_t(offset)) == 0, lseek(file.descriptor, off_t(offset), SEEK_SET) >= 0
        else {
            throw .last
        }
    }

    func append(_ bytes: ByteBuffer) throws(FileError) { try writeAll(bytes, to: file.descriptor) }

    /// Takes the unfinished name away, once: by then the next try may have made a new file of this name.
    func remove() {
        guard !isLetGo.exchange(true, ordering: .relaxed) else { return }
        folder.remove(name)
        flock(file.descriptor, LOCK_UN)
    }

    /// Leaves what is there to the next try.
    func keep() {
        if !isLetGo.exchange(true, ordering: .relaxed) { flock(file.descriptor, LOCK_UN) }
    }

    /// Makes the bytes durable, sets the modification date where there is one and gives the file its name.
    /// - Throws: `exists` when something of that name is there; it is never replaced.
    func publish(as final: String, modified: Timestamp?) throws(FileError) {
        guard fsync(file.descriptor) == 0 else { throw .last }
        if let modified {
            let times = [modified.timespec, modified.timespec]
            guard futimens(file.descriptor, times) == 0 else { throw .last }
        }
        if LocalName.with(final, { linkat(folder.descriptor, name, folder.descriptor, $0, 0) }) == 0 { return remove() }
        let error = FileError.last
        guard error == .denied || error == .unsupported else { throw error }
        try rename(to: final)
        keep()
    }

    /// A file system without hard links: look, then rename. Such file systems are those that take two names for one, so
    /// two files of this restore may want the same name at the same moment: one after the other.
    private func rename(to final: String) throws(FileError) {
        let result = Self.renaming.withLock { _ in
            Result { () throws(FileError) in
                var status = stat()
                let found = LocalName.with(final) { fstatat(folder.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
                guard found != 0 else { throw .exists }
                guard errno == ENOENT else { throw .last }
                let renamed = LocalName.with(final) { renameat(folder.descriptor, name, folder.descriptor, $0) }
                guard renamed == 0 else { throw .last }
            }
        }
        try result.get()
    }
}
