import GRDBSQLite

/// The checksum of one page of a database file, stored in the page's last 8 bytes.
///
/// SQLite has none: a flipped bit in an index page makes a lookup return nothing. With the checksum the read fails.
enum PageChecksum {
    static let length = 8

    /// The result code of SQLite's own checksum extension for a page that differs from what was written.
    static let mismatch = CInt(SQLITE_IOERR | (32 << 8))

    /// Returns whether the read or write covers exactly one page.
    static func covers(count: CInt, offset: Int64) -> Bool {
        count == ObjectIndexSchema.pageSize && offset % Int64(ObjectIndexSchema.pageSize) == 0
    }

    static func isIntact(_ page: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        let body = UnsafeRawBufferPointer(rebasing: page.dropLast(length))
        return page.loadUnaligned(fromByteOffset: body.count, as: UInt64.self).littleEndian == sum(body, at: offset)
    }

    static func store(in page: UnsafeMutableRawBufferPointer, at offset: Int64) {
        let body = UnsafeRawBufferPointer(rebasing: page.dropLast(length))
        page.storeBytes(of: sum(body, at: offset).littleEndian, toByteOffset: body.count, as: UInt64.self)
    }

    /// Includes the page number, so that a page written to another position does not match, and starts from a value
    /// other than 0, so that a page of zeros does not match.
    private static func sum(_ body: UnsafeRawBufferPointer, at offset: Int64) -> UInt64 {
        let number = UInt32(truncatingIfNeeded: offset / Int64(ObjectIndexSchema.pageSize))
        let start = WordSum(first: 0x9e37_79b9 &+ number, second: 0x85eb_ca6b)
        let sum = start.adding(body, isBigEndian: false)
        return UInt64(sum.first) << 32 | UInt64(sum.second)
    }
}

/// The running checksum that SQLite uses for its write-ahead log.
struct WordSum: Equatable {
    var first: UInt32
    var second: UInt32

    /// - Parameter bytes: The bytes, whose count is a multiple of 8.
    func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> WordSum {
        var (first, second) = (first, second)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first = first &+ (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
            second = second &+ (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
        }
        return WordSum(first: first, second: second)
    }
}
