import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The stability of inode numbers, by file system.
enum InodeNumbers {
    #if canImport(Darwin)
        /// Returns `true`: macOS derives the inode numbers on FAT from the positions of files on the disk.
        static func areStable(_ status: stat) -> Bool { true }
    #else
        /// Returns whether a file keeps its inode number as long as it exists.
        static func areStable(_ status: stat) -> Bool { !syntheticDevices.contains(UInt64(status.st_dev)) }

        /// Devices of the file systems that were mounted at the first call. A device that is mounted later is assumed
        /// to have stable numbers; its files are read once more.
        private static let syntheticDevices: Set<UInt64> = {
            guard let file = try? OpenFile("/proc/self/mountinfo"),
                let bytes = try? file.read(from: 0, count: 1 << 20)
            else { return [] }
            return devices(inMounts: String(buffer: bytes))
        }()

        /// Returns the devices whose inode numbers are unstable. Linux assigns numbers to the files of FAT and exFAT,
        /// which have no inodes, at each mount, and so do many FUSE file systems.
        /// - Parameter text: Lines in the format of proc_pid_mountinfo(5).
        static func devices(inMounts text: String) -> Set<UInt64> {
            var devices: Set<UInt64> = []
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard let dash = fields.dropFirst(6).firstIndex(of: "-"), dash + 1 < fields.count else { continue }
                let kind = fields[dash + 1]
                guard ["vfat", "msdos", "exfat"].contains(kind) || kind.hasPrefix("fuse") else { continue }
                let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
                if numbers.count == 2 { devices.insert(device(numbers[0], numbers[1])) }
            }
            return devices
        }

        /// Combines device numbers like makedev(3).
        private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
            (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
        }
    #endif
}
