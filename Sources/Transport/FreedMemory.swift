import Foundation

#if os(Linux) && canImport(Glibc)
    import Glibc
#endif

/// What a process does with memory that it no longer uses.
package enum FreedMemory {
    /// Makes the C library return freed memory to the system. Call it first: it does not change heaps that exist.
    ///
    /// By default, glibc keeps freed buffers of more than 1 MiB after the first one, and has eight heaps for each
    /// processor, of which each keeps most of what it once had: a server occupied half as much again as it used.
    package static func returnToSystem() {
        #if os(Linux) && canImport(Glibc)
            // mallopt(3) is not exported by Swift's module of the C library.
            guard let symbol = dlsym(nil, "mallopt") else { return }
            let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
            let (mmapThreshold, arenaMax): (CInt, CInt) = (-3, -8)
            _ = mallopt(mmapThreshold, 1 << 20)
            _ = mallopt(arenaMax, CInt(max(2, ProcessInfo.processInfo.activeProcessorCount)))
        #endif
    }
}
