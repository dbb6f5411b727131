import Foundation

/// The file system that holds a data folder.
package struct DiskSpace: Sendable, Equatable {
    /// Bytes that this user may still write.
    package var available: Int64
    /// Total bytes of the file system.
    package var total: Int64
    package var isReadOnly: Bool

    package init(available: Int64, total: Int64, isReadOnly: Bool = false) {
        self.available = available
        self.total = total
        self.isReadOnly = isReadOnly
    }

    /// Queries the system; `nil` if it returns no information.
    package static func of(_ path: String) -> DiskSpace? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        let block = Int64(clamping: facts.f_frsize)
        // POSIX's `ST_RDONLY`, which Swift does not import on every platform.
        return DiskSpace(
            available: Int64(clamping: facts.f_bavail).multipliedReportingOverflow(by: block).partialValue,
            total: Int64(clamping: facts.f_blocks).multipliedReportingOverflow(by: block).partialValue,
            isReadOnly: facts.f_flag & 1 != 0)
    }
}

/// The disk space that users' objects must leave free.
package struct StorageReserve: Sendable {
    /// The reserve in bytes; `nil` means a tenth of the disk, at most 1 GiB.
    package let bytes: Int64?
    package let probe: @Sendable (String) -> DiskSpace?

    package init(bytes: Int64? = nil, probe: @escaping @Sendable (String) -> DiskSpace? = DiskSpace.of) {
        self.bytes = bytes
        self.probe = probe
    }
}
