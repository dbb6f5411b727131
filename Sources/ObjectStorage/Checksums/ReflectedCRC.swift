/// A reflected cyclic redundancy check that processes eight bytes per step.
struct ReflectedCRC<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private let table: [Word]
    private var state = Word.max

    fileprivate init(table: [Word]) { self.table = table }

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

extension ReflectedCRC<UInt32> {
    fileprivate static let crc32Table = tables(CRC32.polynomial)
    fileprivate static let crc32CTable = tables(CRC32.castagnoliPolynomial)
}

extension ReflectedCRC<UInt64> {
    fileprivate static let crc64NVMETable = tables(CRC64NVME.polynomial)
}

/// A CRC of 32 bits. Concrete, because generic code is not specialized in other modules.
package struct CRC32: Sendable {
    package static let polynomial: UInt32 = 0xedb8_8320
    package static let castagnoliPolynomial: UInt32 = 0x82f6_3b78

    private var crc: ReflectedCRC<UInt32>

    private init(table: [UInt32]) { crc = ReflectedCRC(table: table) }

    /// The CRC-32 of Ethernet and ZIP.
    package init() { self.init(table: ReflectedCRC<UInt32>.crc32Table) }

    /// The Castagnoli CRC-32C.
    package static var castagnoli: CRC32 { CRC32(table: ReflectedCRC<UInt32>.crc32CTable) }

    /// The CRC of all bytes so far.
    package var value: UInt32 { crc.value }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { crc.update(bytes) }
}

/// The CRC-64 of the NVM Express specification.
package struct CRC64NVME: Sendable {
    package static let polynomial: UInt64 = 0x9a6c_9329_ac4b_c9b5

    private var crc = ReflectedCRC<UInt64>(table: ReflectedCRC<UInt64>.crc64NVMETable)

    package init() {}

    /// The CRC of all bytes so far.
    package var value: UInt64 { crc.value }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { crc.update(bytes) }
}
