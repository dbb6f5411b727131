#if os(Linux) && canImport(Glibc)
    import Glibc
#endif

/// Memory settings for large buffers.
enum LargeBuffers {
    /// Makes the C library return freed buffers of more than 1 MiB to the system. By default, glibc raises its
    /// threshold after the first one is freed and keeps later ones, so that a backup occupies a third more memory than
    /// it uses.
    static func releaseMemoryWhenFreed() {
        #if os(Linux) && canImport(Glibc)
            // mallopt(3) is not exported by Swift's module of the C library.
            let symbol = dlsym(nil, "mallopt")
            let mallopt = symbol.map { unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self) }
            let mmapThreshold: CInt = -3
            _ = mallopt?(mmapThreshold, 1 << 20)
        #endif
    }
}
