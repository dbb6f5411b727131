#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension FolderHandle {
    /// Flushes all pending writes of the folder's file system to disk: file contents and names. Blocks, for seconds if
    /// much was written. FUSE file systems may not pass this on to their backing storage.
    func flush() throws(FileError) {
        guard let flushOne = Self.syncFileSystem else { return sync() }
        guard flushOne(descriptor) == 0 else { throw .last }
    }

    /// syncfs(2), which is missing from Swift's C library modules; `nil` if it is not available.
    private static let syncFileSystem = dlsym(nil, "syncfs").map {
        unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self)
    }
}
