import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A small private file that is replaced atomically. Blocks.
enum StateFile {
    static let limit = 1 << 30

    static func read(_ path: String) throws(FileError) -> ByteBuffer {
        let file = try OpenFile(path)
        let size = try file.fingerprint().size
        guard size <= limit else { throw .unsupported }
        return try file.read(from: 0, count: Int(size))
    }

    /// Locks a file, which is created in its folder if they do not exist, until the result is deinitialized or the process
    /// exits for any reason. On file systems without locks this is not enforced.
    /// - Throws: `exists` if another task or process has locked it.
    static func lock(_ path: String) throws(FileError) -> OpenFile {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try LocalFolder.create(String(path[..<slash]))
        }
        let file = try OpenFile(owning: open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .exists }
        return file
    }

    /// Removes the file if it exists.
    static func remove(_ path: String) { unlink(path) }

    /// Removes the file if it exists.
    /// - Returns: Whether there is none now.
    static func removeIfPresent(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR }

    static func replace(_ path: String, with bytes: ByteBuffer) throws(FileError) {
        let part = "\(path).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        do throws(FileError) {
            try writeAll(bytes, to: descriptor)
            guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw FileError.last }
        } catch {
            unlink(part)
            throw error
        }
    }
}

/// Writes all bytes, with as many calls as needed. Blocks.
func writeAll(_ bytes: ByteBuffer, to descriptor: CInt) throws(FileError) {
    var remaining = bytes
    while remaining.readableBytes > 0 {
        var failure: FileError?
        _ = remaining.readWithUnsafeReadableBytes { space in
            let result = retrying { write(descriptor, space.baseAddress, space.count) }
            if result < 0 { failure = .last }
            return max(0, result)
        }
        if let failure { throw failure }
    }
}
