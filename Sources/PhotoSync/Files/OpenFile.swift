import Crypto
import NIOCore
import PhotoCatalog

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open regular file, closed on deinitialization. All calls block.
package final class OpenFile: Sendable {
    package let descriptor: CInt

    /// Opens a file for reading. Does not follow a link in the last component, and does not wait for the writer of a
    /// pipe.
    package convenience init(_ path: String) throws(FileError) {
        let descriptor = LocalName.withPath(path) { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        try self.init(owning: descriptor)
    }

    /// Opens a file for reading by its name in an open folder.
    convenience init(in folder: FolderHandle, name: String) throws(FileError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        try self.init(owning: LocalName.withPath(name) { openat(folder.descriptor, $0, flags) })
    }

    init(owning descriptor: CInt) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
        guard try status().isRegularFile else { throw .wrongKind }
    }

    deinit {
        // Closing does not unlock while a process that is being started has a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func fingerprint() throws(FileError) -> FileFingerprint { FileFingerprint(try status()) }

    /// Reads up to `count` bytes from an offset; fewer only at the end of the file.
    func read(from offset: Int64, count: Int) throws(FileError) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: count)
        try read(from: offset, count: count, into: &bytes)
        return bytes
    }

    /// Reads up to `count` bytes from an offset into an empty buffer.
    func read(from offset: Int64, count: Int, into bytes: inout ByteBuffer) throws(FileError) {
        while bytes.readableBytes < count {
            let wanted = count - bytes.readableBytes
            let start = off_t(offset) + off_t(bytes.readableBytes)
            var failure: FileError?
            let readCount = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                let result = retrying { pread(descriptor, space.baseAddress, min(wanted, space.count), start) }
                if result < 0 { failure = .last }
                return max(0, result)
            }
            if let failure { throw failure }
            if readCount == 0 { break }
        }
    }

    /// Locks the file until it is closed, so that a process that tries to lock it exclusively knows that it is in use.
    /// - Returns: Whether the file can be used: it has a name, and no process has locked it exclusively. On file systems
    ///   without locks, only whether it has a name.
    func lockAgainstRemoval() throws(FileError) -> Bool {
        if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
        return try status().st_nlink > 0
    }

    /// Returns the digest of the whole file.
    func digest() throws(FileError) -> ContentDigest {
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        while true {
            let bytes = try read(from: offset, count: 1 << 20)
            guard bytes.readableBytes > 0 else { return ContentDigest(hasher.finalize()) }
            hasher.update(bytes)
            offset += Int64(bytes.readableBytes)
        }
    }

    private func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }
}

/// Repeats a call that was interrupted by a signal.
func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
