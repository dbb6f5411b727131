import Foundation
import NIOCore
import ObjectStorage

/// An open file that closes itself when nobody holds it any more, whichever way its user ends.
final class OpenFile: Sendable {
    let path: String
    private let descriptor: CInt

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Opens a file or folder for reading; `nil` when there is none.
    static func reading(_ path: String) throws(ObjectStoreError) -> OpenFile? {
        // Without `O_NONBLOCK` a named pipe in a file's place would hold the thread until somebody writes into it.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno, "open", path)
        }
        return OpenFile(path: path, descriptor: descriptor)
    }

    /// Opens a file for writing and makes it when there is none, readable by its owner alone.
    static func writing(_ path: String) throws(ObjectStoreError) -> OpenFile {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "create", path) }
        return OpenFile(path: path, descriptor: descriptor)
    }

    /// Makes a file for writing, readable by its owner alone, where there is none, also behind a symbolic link; `nil`
    /// when there is one, which is not opened.
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

    /// Exactly `count` bytes from `offset`; a file that ends before them was cut after it was acknowledged.
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
            if result == 0 { throw .corrupted("\(path) ends early") }
            if result < 0, code != EINTR { throw .system(code, "read", path) }
        }
        return buffer
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectStoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
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

    /// Gives an empty file a length for which the disk has the space.
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

    /// Returns when the file (or the names in the folder) would survive a loss of power.
    func synchronize() throws(ObjectStoreError) {
        #if canImport(Darwin)
            // Darwin's fsync stops at the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .system(errno, "fsync", path) }
    }

    /// Waits for the file's lock, which ends with this object or its process.
    func lock() throws(ObjectStoreError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system(errno, "lock", path) }
        }
    }

    /// Takes the file's lock unless somebody holds it.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}
