#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What changes when a file changes: cheap to read, and equal as long as nobody touched the file.
package struct FileStamp: Hashable, Sendable {
    /// Length in bytes.
    package let size: Int64
    package let modified: Timestamp
    /// When the file or its record last changed: catches a copy that was given the old modification date.
    let changed: Timestamp
    let inode: UInt64

    init(size: Int64, modified: Timestamp, changed: Timestamp, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        #if canImport(Darwin)
            modified = Timestamp(status.st_mtimespec)
            changed = Timestamp(status.st_ctimespec)
        #else
            modified = Timestamp(status.st_mtim)
            changed = Timestamp(status.st_ctim)
        #endif
    }
}

extension Timestamp {
    init(_ time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)) }

    var timespec: timespec { .init(tv_sec: .init(seconds), tv_nsec: .init(nanoseconds)) }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}
