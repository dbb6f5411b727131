import Crypto
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular open file; closed when the last holder lets go. All calls block.
final class OpenFile: Sendable {
    let descriptor: CInt

    /// Opened for reading. Never follows a link at the last segment and never waits for a pipe's other end.
    convenience init(_ path: String) throws(FileError) {
        let descriptor = LocalName.with(path) { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        try self.init(owning: descriptor)
    }

    /// The same for a name in an open folder.
    convenience init(in folder: FolderHandle, name: String) throws(FileError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        try self.init(owning: LocalName.with(name) { openat(folder.descriptor, $0, flags) })
    }

    init(owning descriptor: CInt) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
        guard try status().isRegularFile else { throw .wrongKind }
    }

    deinit { close(descriptor) }

    func stamp() throws(FileError) -> FileStamp { FileStamp(try status()) }

    /// Up to `count` bytes from an offset; fewer only at the end of the file.
    func read(from offset: Int64, count: Int) throws(FileError) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: count)
        try read(from: offset, count: count, into: &bytes)
        return bytes
    }

    /// The same into a buffer that is empty.
    func read(from offset: Int64, count: Int, into bytes: inout ByteBuffer) throws(FileError) {
        while bytes.readableBytes < count {
            let wanted = count - bytes.readableBytes
            let start = off_t(offset) + off_t(bytes.readableBytes)
            var failure: FileError?
            let got = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                let result = retrying { pread(descriptor, space.baseAddress, min(wanted, space.count), start) }
                if result < 0 { failure = .last }
                return max(0, result)
            }
            if let failure { throw failure }
            if got == 0 { break }
        }
    }

    /// The digest of everything in the file.
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

/// Repeats a call that a signal interrupted.
func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
