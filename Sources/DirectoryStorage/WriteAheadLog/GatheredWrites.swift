import GRDBSQLite

/// Writes of one file that follow one upon another, kept until they are written in one.
///
/// Its memory is its owner's to free. Codes are SQLite's.
struct GatheredWrites {
    typealias Write = (UnsafeRawBufferPointer, Int64) -> CInt

    /// How many bytes are kept at most: SQLite's own files take no write of 128 KiB.
    static let capacity = 127 << 10

    private let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var count = 0
    private var start: Int64 = 0

    func deallocate() { kept.deallocate() }

    /// Keeps the bytes, or first writes what does not go together with them.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ write: Write) -> CInt {
        if offset != start + Int64(count) || bytes.count > kept.count - count {
            let code = flush(write)
            guard code == SQLITE_OK else { return code }
            guard bytes.count <= kept.count else { return write(bytes, offset) }
            start = offset
        }
        UnsafeMutableRawBufferPointer(rebasing: kept[count...]).copyMemory(from: bytes)
        count += bytes.count
        return SQLITE_OK
    }

    /// Writes what is kept. What could not be written is forgotten: SQLite takes a transaction back that it could not
    /// write, and writes the next one over it.
    mutating func flush(_ write: Write) -> CInt {
        guard count > 0 else { return SQLITE_OK }
        defer { count = 0 }
        return write(UnsafeRawBufferPointer(rebasing: kept[..<count]), start)
    }
}
