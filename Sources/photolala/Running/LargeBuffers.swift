#if canImport(Glibc)
    import Glibc
#endif

/// Photos in memory on their way.
enum LargeBuffers {
    /// Has the C library give buffers of more than a mebibyte back to the system when they are free. Left to itself, glibc
    /// learns from the first that is freed to keep those after it, and a backup holds a third more than it uses.
    static func giveBackWhenFree() {
        #if canImport(Glibc)
            // mallopt(3), which Swift's module of the C library does not show.
            let symbol = dlsym(nil, "mallopt")
            let mallopt = symbol.map { unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self) }
            let mmapThreshold: CInt = -3
            _ = mallopt?(mmapThreshold, 1 << 20)
        #endif
    }
}
