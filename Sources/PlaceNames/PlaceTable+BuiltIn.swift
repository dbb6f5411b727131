import CEmbeddedFiles
import CZlib

extension PlaceTable {
    /// The table in the program. It is read on first use, which takes tens of milliseconds, and has 7 MB then.
    package static let builtIn = (try? PlaceTable(compressed: builtInBytes)) ?? PlaceTable()

    /// The bytes of the table in the program.
    static var builtInBytes: [UInt8] {
        let file = photolala_places()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    /// The largest text in bytes.
    private static let largest = 64 << 20

    /// Reads a table.
    /// - Parameter bytes: The size and CRC-32 of its text, in little endian, and the text as raw DEFLATE data.
    package init(compressed bytes: [UInt8]) throws(PlaceTableError) {
        func number(_ start: Int) -> UInt32 { bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        guard bytes.count > 8, number(0) <= Self.largest, let inflater = photolala_inflater_create() else {
            throw .damaged
        }
        defer { photolala_inflater_destroy(inflater) }
        var (read, result): (UInt32, Int32) = (0, 0)
        let text = [UInt8](unsafeUninitializedCapacity: Int(number(0))) { space, count in
            var written: UInt32 = 0
            bytes.withUnsafeBufferPointer { bytes in
                result = photolala_inflate(
                    inflater, bytes.baseAddress.map { $0 + 8 }, UInt32(bytes.count - 8), &read, space.baseAddress,
                    number(0), &written)
            }
            count = Int(written)
        }
        guard result == Int32(PHOTOLALA_INFLATE_END), text.count == Int(number(0)),
            photolala_crc32(0, text, UInt32(text.count)) == number(4)
        else { throw .damaged }
        try self.init(text: text)
    }
}
