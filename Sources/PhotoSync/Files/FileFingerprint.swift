import Foundation
import PhotoCatalog

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A fingerprint of a file's state, cheap to read and equal as long as the file is unchanged.
package struct FileFingerprint: Hashable, Sendable {
    /// The size of a resource that was not read yet and whose source does not know it.
    static let unknownSize: Int64 = -1

    /// Length in bytes.
    package let size: Int64
    package let modified: Timestamp
    /// The time of the last change of the file or its inode (ctime). It detects a replacement with the same
    /// modification date.
    let changed: Timestamp
    /// 0 if the file system does not have stable inode numbers.
    let inode: UInt64

    init(size: Int64, modified: Timestamp, changed: Timestamp, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        inode = InodeNumbers.areStable(status) ? UInt64(status.st_ino) : 0
        #if canImport(Darwin)
            modified = Timestamp(status.st_mtimespec)
            changed = Timestamp(status.st_ctimespec)
        #else
            modified = Timestamp(status.st_mtim)
            changed = Timestamp(status.st_ctim)
        #endif
    }
}

extension FileFingerprint {
    /// The granularity of file system clocks in seconds; some have ticks of 2 seconds. A write within the same tick as
    /// the previous change does not change the fingerprint.
    private static let tick: Int64 = 2

    /// Returns whether any change after the given time is visible in the fingerprint. That is also the case for a
    /// fingerprint in the future: the clock of a camera may be ahead, or that of this device was when it copied the
    /// file.
    func isAtRest(at moment: Date) -> Bool {
        let now = Int64(moment.timeIntervalSince1970.rounded(.down))
        return changed.seconds + Self.tick < now || now + Self.tick < changed.seconds
    }

    /// Returns whether the file was changed just before the given time, so that it may be incomplete. A change time in
    /// the future comes from a wrong clock and does not count.
    func isRecent(at moment: Date) -> Bool {
        !isAtRest(at: moment) && changed.seconds <= Int64(moment.timeIntervalSince1970) + Self.tick
    }

    /// The fingerprint with values that no file has, to record a content that may differ from the file's current one.
    var matchingNoFile: FileFingerprint {
        FileFingerprint(size: size, modified: modified, changed: Timestamp(seconds: .min, nanoseconds: 0), inode: 0)
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
