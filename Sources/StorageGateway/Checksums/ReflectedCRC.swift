/// A reflected cyclic redundancy check that processes eight bytes per step.
struct ReflectedCRC<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private let table: [Word]
    private var state = Word.max

    private init(table: [Word]) { self.table = table }

    /// The CRC of all bytes so far.
    var value: Word { ~state }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        table.withUnsafeBufferPointer { table in
            var offset = 0
            while bytes.count - offset >= 8 {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let mixed = word ^ UInt64(state)
                var next: Word = 0
                for lane in 0..<8 {
                    next ^= table[(7 - lane) * 256 + Int(mixed >> UInt64(lane * 8) & 0xff)]
                }
                state = next
                offset += 8
            }
            while offset < bytes.count {
                state = table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[offset])] ^ (state >> 8)
                offset += 1
            }
        }
        self.state = state
    }

    /// Eight tables: the first advances by one byte, each next one by one byte more.
    fileprivate static func tables(_ polynomial: Word) -> [Word] {
        var table = [Word](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = Word(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? polynomial ^ (value >> 1) : value >> 1 }
            table[byte] = value
        }
        for index in 256..<table.count {
            let before = table[index - 256]
            table[index] = table[Int(UInt8(truncatingIfNeeded: before))] ^ (before >> 8)
        }
        return table
    }
}

private let crc32Table = ReflectedCRC<UInt32>.tables(ReflectedCRC<UInt32>.crc32Polynomial)
private let crc32CTable = ReflectedCRC<UInt32>.tables(ReflectedCRC<UInt32>.crc32CPolynomial)
private let crc64NVMETable = ReflectedCRC<UInt64>.tables(ReflectedCRC<UInt64>.crc64NVMEPolynomial)

extension ReflectedCRC<UInt32> {
    static var crc32Polynomial: UInt32 { 0xedb8_8320 }
    static var crc32CPolynomial: UInt32 { 0x82f6_3b78 }
    /// The CRC-32 of Ethernet and ZIP.
    static var crc32: ReflectedCRC { ReflectedCRC(table: crc32Table) }
    /// The Castagnoli CRC-32C.
    static var crc32C: ReflectedCRC { ReflectedCRC(table: crc32CTable) }
}

extension ReflectedCRC<UInt64> {
    static var crc64NVMEPolynomial: UInt64 { 0x9a6c_9329_ac4b_c9b5 }
    /// The CRC-64 of the NVM Express specification.
    static var crc64NVME: ReflectedCRC { ReflectedCRC(table: crc64NVMETable) }
}
