import GRDBSQLite

/// Consecutive writes to one file, buffered until they are written in one call.
///
/// The owner must deallocate the buffer. Result codes are SQLite's.
struct BufferedWrites {
    typealias Write = (UnsafeRawBufferPointer, Int64) -> CInt

    /// The capacity of the buffer in bytes: SQLite's own files accept no write of 128 KiB.
    static let capacity = 127 << 10

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var count = 0
    private var start: Int64 = 0

    func deallocate() { buffer.deallocate() }

    /// Buffers the bytes, after flushing earlier ones that are not adjacent to them or leave too little capacity.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ write: Write) -> CInt {
        if offset != start + Int64(count) || bytes.count > buffer.count - count {
            let code = flush(write)
            guard code == SQLITE_OK else { return code }
            guard bytes.count <= buffer.count else { return write(bytes, offset) }
            start = offset
        }
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        count += bytes.count
        return SQLITE_OK
    }

    /// Writes the buffered bytes. Bytes that could not be written are discarded: SQLite rolls the transaction back
    /// and overwrites them with the next one.
    mutating func flush(_ write: Write) -> CInt {
        guard count > 0 else { return SQLITE_OK }
        defer { count = 0 }
        return write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), start)
    }
}
