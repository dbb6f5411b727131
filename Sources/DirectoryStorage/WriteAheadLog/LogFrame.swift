/// One page in the write-ahead log, verified against the checksum that SQLite stored before it.
///
/// SQLite verifies frames only when it opens a log that no process has open. A bit that flips later would be read,
/// and copied into the database with a fresh checksum.
enum LogFrame {
    private static let fileHead = 32
    private static let head = 24

    /// Returns whether the read covers exactly the page of one frame.
    static func covers(count: CInt, offset: Int64) -> Bool {
        let frame = Int64(ObjectIndexSchema.pageSize + head)
        return count == ObjectIndexSchema.pageSize && offset >= fileHead + head
            && (offset - Int64(fileHead + head)) % frame == 0
    }

    /// Returns whether the page is the one that was written. Costs one read of about a page.
    /// - Parameter read: Fills the buffer from an offset of the file, or returns `false`.
    static func isIntact(
        _ page: UnsafeRawBufferPointer, at offset: Int64, read: (UnsafeMutableRawBufferPointer, Int64) -> Bool
    ) -> Bool {
        let isFirst = offset == Int64(fileHead + head)
        // The preceding header (of the file, or of a frame with its page) and the frame's own header.
        let before = isFirst ? fileHead : head + ObjectIndexSchema.pageSize
        return withUnsafeTemporaryAllocation(byteCount: before + head, alignment: 8) { space in
            guard read(space, offset - Int64(before + head)) else { return false }
            let own = UnsafeRawBufferPointer(rebasing: space[before...])
            let previous = stored(in: UnsafeRawBufferPointer(space), at: isFirst ? 24 : 16)
            let facts = UnsafeRawBufferPointer(rebasing: own[..<8])
            let expected = stored(in: own, at: 16)
            func matches(isBigEndian: Bool) -> Bool {
                previous.adding(facts, isBigEndian: isBigEndian).adding(page, isBigEndian: isBigEndian) == expected
            }
            // SQLite sums in the byte order of the machine that created the log, which is usually the host's.
            return matches(isBigEndian: isBigEndianHost) || matches(isBigEndian: !isBigEndianHost)
        }
    }

    private static let isBigEndianHost = UInt16(1).bigEndian == 1

    private static func stored(in head: UnsafeRawBufferPointer, at offset: Int) -> WordSum {
        WordSum(
            first: head.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian,
            second: head.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self).bigEndian)
    }
}
