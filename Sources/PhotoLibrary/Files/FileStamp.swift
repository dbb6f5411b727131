import Foundation

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
    /// 0 where the file system makes the numbers up.
    let inode: UInt64

    init(size: Int64, modified: Timestamp, changed: Timestamp, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        inode = InodeNumbers.areKept(status) ? UInt64(status.st_ino) : 0
        #if canImport(Darwin)
            modified = Timestamp(status.st_mtimespec)
            changed = Timestamp(status.st_ctimespec)
        #else
            modified = Timestamp(status.st_mtim)
            changed = Timestamp(status.st_ctim)
        #endif
    }
}

extension FileStamp {
    /// File systems' clocks tick, some of them every two seconds only. Who writes to a file within the tick in which it
    /// was changed last leaves the same stamp.
    private static let tick: Int64 = 2

    /// Whether a change after a moment, at which the file is looked at, shows in the stamp. It shows in one of the future,
    /// too: a camera's clock may be ahead, or this device's was when it copied the file.
    func isAtRest(at moment: Date) -> Bool {
        let now = Int64(moment.timeIntervalSince1970.rounded(.down))
        return changed.seconds + Self.tick < now || now + Self.tick < changed.seconds
    }

    /// Whether it was changed just before a moment, and may be half written. What seems to come from the future comes from
    /// a clock that was set, and tells nothing.
    func isYoung(at moment: Date) -> Bool {
        !isAtRest(at: moment) && changed.seconds <= Int64(moment.timeIntervalSince1970) + Self.tick
    }

    /// A stamp that no file has, to remember a content by that may not be the file's any more.
    var ofNoFile: FileStamp {
        FileStamp(size: size, modified: modified, changed: Timestamp(seconds: .min, nanoseconds: 0), inode: 0)
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
