/// One page in the write-ahead log, checked against the checksum that SQLite stored before it.
///
/// SQLite checks frames only when it opens a log that no process has open. A bit that flips later would be read, and
/// copied into the database with a fresh checksum.
enum LogFrame {
    private static let fileHead = 32
    private static let head = 24

    /// Whether the read is of the page of one frame.
    static func covers(count: CInt, offset: Int64) -> Bool {
        let frame = Int64(ObjectIndexSchema.pageSize + head)
        return count == ObjectIndexSchema.pageSize && offset >= fileHead + head
            && (offset - Int64(fileHead + head)) % frame == 0
    }

    /// Whether the page is the one that was written. Costs up to three reads of at most 32 bytes.
    /// - Parameter read: fills the buffer from an offset of the file, or gives `false`.
    static func holds(
        _ page: UnsafeRawBufferPointer, at offset: Int64, read: (UnsafeMutableRawBufferPointer, Int64) -> Bool
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: fileHead + 2 * head, alignment: 8) { space in
            let file = UnsafeMutableRawBufferPointer(rebasing: space[..<fileHead])
            let own = UnsafeMutableRawBufferPointer(rebasing: space[fileHead..<fileHead + head])
            let before = UnsafeMutableRawBufferPointer(rebasing: space[(fileHead + head)...])
            let start = offset - Int64(head)
            guard read(file, 0), read(own, start) else { return false }
            let previous: WordSum
            if start == Int64(fileHead) {
                previous = stored(in: file, at: 24)
            } else {
                guard read(before, start - Int64(ObjectIndexSchema.pageSize + head)) else { return false }
                previous = stored(in: before, at: 16)
            }
            // The last bit of the log's first word names the byte order of its sums.
            let isBigEndian = file[3] & 1 == 1
            let facts = UnsafeRawBufferPointer(rebasing: own[..<8])
            let sum = previous.adding(facts, isBigEndian: isBigEndian).adding(page, isBigEndian: isBigEndian)
            return sum == stored(in: own, at: 16)
        }
    }

    private static func stored(in head: UnsafeMutableRawBufferPointer, at offset: Int) -> WordSum {
        WordSum(
            first: head.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian,
            second: head.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self).bigEndian)
    }
}
