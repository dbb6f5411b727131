import Foundation
import NIOCore
import ObjectStorage

/// An open file that is closed when its last reference is released.
final class OpenFile: Sendable {
    let path: String
    private let descriptor: CInt

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Opens a file or folder for reading.
    /// - Returns: `nil` if it does not exist.
    static func reading(_ path: String) throws(ObjectStoreError) -> OpenFile? {
        // Without `O_NONBLOCK` a named pipe at this path would block the thread until it has a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno, "open", path)
        }
        return OpenFile(path: path, descriptor: descriptor)
    }

    /// Opens a file for writing and creates it if necessary, readable by its owner only.
    static func writing(_ path: String) throws(ObjectStoreError) -> OpenFile {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "create", path) }
        return OpenFile(path: path, descriptor: descriptor)
    }

    /// Creates a file for writing, readable by its owner only. Follows symbolic links.
    /// - Returns: `nil` if the file exists; it is not opened.
    static func creating(_ path: String) throws(ObjectStoreError) -> OpenFile? {
        var facts = stat()
        guard stat(path, &facts) != 0 else { return nil }
        guard errno == ENOENT else { throw .system(errno, "create", path) }
        return try writing(path)
    }

    func fingerprint() throws(ObjectStoreError) -> FileFingerprint {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(errno, "stat", path) }
        #if canImport(Darwin)
            let modified = facts.st_mtimespec
        #else
            let modified = facts.st_mtim
        #endif
        return FileFingerprint(
            size: Int64(facts.st_size),
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            inode: Int64(truncatingIfNeeded: facts.st_ino)
        )
    }

    /// Reads exactly `count` bytes from `offset`. A file that ends earlier was truncated after it was acknowledged.
    func bytes(at offset: Int64, count: Int) throws(ObjectStoreError) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let missing = count - buffer.readableBytes
            let position = offset + Int64(buffer.readableBytes)
            var (result, code) = (0, CInt(0))
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
                result = pread(descriptor, space.baseAddress, missing, off_t(position))
                code = errno
                return max(0, result)
            }
            if result == 0 { throw .corrupted("truncated file \(path)") }
            if result < 0, code != EINTR { throw .system(code, "read", path) }
        }
        return buffer
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectStoreError) {
        var remaining = bytes
        while !remaining.isEmpty {
            let written = write(descriptor, remaining.baseAddress, remaining.count)
            if written >= 0 {
                remaining = UnsafeRawBufferPointer(rebasing: remaining.dropFirst(written))
            } else if errno != EINTR {
                throw .system(errno, "write", path)
            }
        }
    }

    /// Replaces the file's bytes from `start` on.
    func overwrite(_ text: String, at start: Int = 0) throws(ObjectStoreError) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let offset = start + text.utf8.count - bytes.count
            let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            if written >= 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                throw .system(errno, "write", path)
            }
        }
    }

    /// Extends an empty file to a length and reserves the disk space.
    func allocate(_ size: Int64) throws(ObjectStoreError) {
        #if canImport(Darwin)
            let zeros = [UInt8](repeating: 0, count: 1 << 20)
            for _ in 0..<(size >> 20) {
                try zeros.withUnsafeBytes { bytes in Result { () throws(ObjectStoreError) in try append(bytes) } }.get()
            }
        #else
            let code = posix_fallocate(descriptor, 0, off_t(size))
            guard code == 0 else { throw .system(code, "allocate", path) }
        #endif
    }

    /// Returns when the file (or the names in the folder) would survive a power loss.
    func synchronize() throws(ObjectStoreError) {
        #if canImport(Darwin)
            // Darwin's `fsync` does not flush the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .system(errno, "fsync", path) }
    }

    /// Waits for the file's lock, which is released with this object or its process.
    func lock() throws(ObjectStoreError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system(errno, "lock", path) }
        }
    }

    /// Acquires the file's lock without waiting.
    /// - Returns: `false` if it is held elsewhere.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}
