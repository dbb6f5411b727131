#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension FolderHandle {
    /// Brings what was written to the folder's file system, by anybody, to its disk: contents and names. Blocks, for
    /// seconds where much was written. File systems that are programs (FUSE) may not pass it on to theirs.
    func flush() throws(FileError) {
        guard let flushOne = Self.flushOne else { return sync() }
        guard flushOne(descriptor) == 0 else { throw .last }
    }

    /// syncfs(2), which Swift's modules of the C libraries do not show; `nil` where there is none.
    private static let flushOne = dlsym(nil, "syncfs").map {
        unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self)
    }
}
