import NIOCore

/// Divides a CSV file into blocks that end with a row, so that each can be read by itself.
enum CSVBlocks {
    /// Many times a row's longest length, and short enough that several are read at once.
    static let length = 1 << 20

    /// - Parameter length: of a block, unless a row is longer.
    static func divide(_ bytes: ByteBuffer, length: Int = length) -> [ByteBuffer] {
        var (rest, blocks) = (bytes, [ByteBuffer]())
        while rest.readableBytes > 0 {
            var window = min(length, rest.readableBytes)
            var end: Int?
            // Where no row ends in what a row may have, nobody can read it: all of it is one block.
            while end == nil, window < rest.readableBytes, window <= max(length, 2 * CSVRows.rowLimit) {
                end = rest.withUnsafeReadableBytes { endOfLastRow(UnsafeRawBufferPointer(rebasing: $0[..<window])) }
                if end == nil { window = min(2 * window, rest.readableBytes) }
            }
            guard let block = rest.readSlice(length: end ?? rest.readableBytes) else { break }
            blocks.append(block)
        }
        return blocks
    }

    /// A row ends at a line end before which quotes come in pairs.
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
