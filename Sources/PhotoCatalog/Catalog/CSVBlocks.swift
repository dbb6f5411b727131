import NIOCore

/// A division of a CSV file into blocks that end with a row, so that blocks can be read independently.
enum CSVBlocks {
    /// The block length in bytes: many times the longest row, and short enough to read several blocks in parallel.
    static let length = 1 << 20

    /// - Parameter length: The length of a block in bytes, unless a row is longer.
    static func divide(_ bytes: ByteBuffer, length: Int = length) -> [ByteBuffer] {
        var (remaining, blocks) = (bytes, [ByteBuffer]())
        while remaining.readableBytes > 0 {
            var window = min(length, remaining.readableBytes)
            var end: Int?
            // If no row ends within the longest allowed row, the data is invalid and becomes one block.
            while end == nil, window < remaining.readableBytes, window <= max(length, 2 * CSVRows.rowLimit) {
                end = remaining.withUnsafeReadableBytes {
                    endOfLastRow(UnsafeRawBufferPointer(rebasing: $0[..<window]))
                }
                if end == nil { window = min(2 * window, remaining.readableBytes) }
            }
            guard let block = remaining.readSlice(length: end ?? remaining.readableBytes) else { break }
            blocks.append(block)
        }
        return blocks
    }

    /// Returns the end of the last complete row: a line feed that an even number of quotes precedes.
    private static func endOfLastRow(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var quotes = 0
        for byte in bytes where byte == UInt8(ascii: "\"") { quotes += 1 }
        var index = bytes.count
        while index > 0 {
            index -= 1
            if bytes[index] == UInt8(ascii: "\"") { quotes -= 1 }
            if bytes[index] == UInt8(ascii: "\n"), quotes % 2 == 0 { return index + 1 }
        }
        return nil
    }
}
