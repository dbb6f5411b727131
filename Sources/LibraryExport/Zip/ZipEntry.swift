import NIOCore
import PhotoCatalog

/// One member of a ZIP archive that is stored without compression (APPNOTE.TXT 6.3.10 section 4.3). All lengths depend
/// on its name, size and position only, so that the position of every byte of an archive is known before it is read.
package struct ZipEntry: Sendable {
    /// The path, with `/` as the separator; at most 65,535 bytes of UTF-8.
    package let name: String
    /// Length in bytes.
    package let size: Int64
    package let modified: Timestamp
    let isExecutable: Bool

    package init(name: String, size: Int64, modified: Timestamp, isExecutable: Bool = false) {
        (self.name, self.size, self.modified, self.isExecutable) = (name, size, modified, isExecutable)
    }

    /// The value of a field of 32 bits whose number is in the ZIP64 extra field (section 4.5.3).
    static let inExtraField = UInt32.max
    /// Bit 11: the name is UTF-8 (appendix D).
    private static let flags: UInt16 = 1 << 11
    /// The version with ZIP64, as a reader needs it (section 4.4.3).
    private static let zip64Version: UInt16 = 45

    private var isLarge: Bool { size >= Int64(Self.inExtraField) }

    /// The size of the local header in bytes.
    package var headerSize: Int { 30 + name.utf8.count + (isLarge ? 20 : 0) + timeFieldSize }

    /// Returns the local header (section 4.3.7), which the member's bytes follow.
    package func header(crc32: UInt32) -> ByteBuffer {
        var header = ByteBuffer()
        header.reserveCapacity(headerSize)
        header.writeInteger(UInt32(0x0403_4b50), endianness: .little)
        writeCommonFields(crc32, isZip64: isLarge, extraSize: (isLarge ? 20 : 0) + timeFieldSize, to: &header)
        header.writeString(name)
        if isLarge {
            writeExtraField(1, size: 16, to: &header)
            header.writeInteger(size, endianness: .little)
            header.writeInteger(size, endianness: .little)
        }
        writeTimeField(to: &header)
        return header
    }

    /// Returns the size of the record in the central directory in bytes.
    /// - Parameter offset: The position of the local header.
    func recordSize(at offset: Int64) -> Int {
        46 + name.utf8.count + zip64FieldSize(at: offset) + timeFieldSize
    }

    /// Appends the record of the central directory (section 4.3.12).
    func writeRecord(crc32: UInt32, at offset: Int64, to directory: inout ByteBuffer) {
        let zip64 = zip64FieldSize(at: offset)
        directory.writeInteger(UInt32(0x0201_4b50), endianness: .little)
        // Made on Unix (3), so that readers apply the file mode.
        directory.writeInteger(UInt16(3 << 8) | Self.zip64Version, endianness: .little)
        writeCommonFields(crc32, isZip64: zip64 > 0, extraSize: zip64 + timeFieldSize, to: &directory)
        directory.writeMultipleIntegers(UInt16(0), UInt16(0), UInt16(0), endianness: .little)
        let mode: UInt32 = isExecutable ? 0o100_755 : 0o100_644
        directory.writeInteger(mode << 16, endianness: .little)
        directory.writeInteger(UInt32(clamping: offset), endianness: .little)
        directory.writeString(name)
        if zip64 > 0 {
            writeExtraField(1, size: UInt16(zip64 - 4), to: &directory)
            if isLarge {
                directory.writeInteger(size, endianness: .little)
                directory.writeInteger(size, endianness: .little)
            }
            if Self.isFar(offset) { directory.writeInteger(offset, endianness: .little) }
        }
        writeTimeField(to: &directory)
    }

    private static func isFar(_ offset: Int64) -> Bool { offset >= Int64(inExtraField) }

    private func zip64FieldSize(at offset: Int64) -> Int {
        let values = (isLarge ? 16 : 0) + (Self.isFar(offset) ? 8 : 0)
        return values == 0 ? 0 : 4 + values
    }

    private func writeCommonFields(_ crc32: UInt32, isZip64: Bool, extraSize: Int, to buffer: inout ByteBuffer) {
        let (date, time) = dosTime
        buffer.writeMultipleIntegers(
            isZip64 ? Self.zip64Version : 20, Self.flags, UInt16(0), time, date, endianness: .little)
        let shown = isLarge ? Self.inExtraField : UInt32(size)
        buffer.writeMultipleIntegers(crc32, shown, shown, endianness: .little)
        buffer.writeMultipleIntegers(UInt16(name.utf8.count), UInt16(extraSize), endianness: .little)
    }

    private func writeExtraField(_ id: UInt16, size: UInt16, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(id, size, endianness: .little)
    }

    // The extended timestamp of Info-ZIP: seconds since 1970 in UTC. Some readers take negative numbers for dates after
    // 2038.
    private var timeFieldSize: Int { unixTime == nil ? 0 : 9 }

    private var unixTime: Int32? { modified.seconds < 0 ? nil : Int32(exactly: modified.seconds) }

    private func writeTimeField(to buffer: inout ByteBuffer) {
        guard let seconds = unixTime else { return }
        writeExtraField(0x5455, size: 5, to: &buffer)
        buffer.writeInteger(UInt8(1))
        buffer.writeInteger(seconds, endianness: .little)
    }

    /// The date and time of section 4.4.6, in UTC, limited to 1980 to 2107.
    private var dosTime: (date: UInt16, time: UInt16) {
        let moment = modified.calendarTime
        guard moment.year >= 1980 else { return (1 << 5 | 1, 0) }
        guard moment.year <= 2107 else { return (127 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29) }
        return (
            UInt16((moment.year - 1980) << 9 | moment.month << 5 | moment.day),
            UInt16(moment.hour << 11 | moment.minute << 5 | moment.second / 2)
        )
    }
}

/// The local header of a file that is smaller than 4 GiB, as it is read.
package struct ZipHeader: Sendable, Equatable {
    package let name: String
    package let crc32: UInt32
    /// The size of the header in bytes.
    package let size: Int
    /// The size of the file in bytes.
    package let contentSize: Int64

    /// Returns `nil` if the bytes do not begin with a header.
    package init?(_ bytes: ByteBuffer) {
        var bytes = bytes
        guard
            let fields = bytes.readMultipleIntegers(
                endianness: .little,
                as: (
                    UInt32, UInt16, UInt16, UInt16, UInt16, UInt16, UInt32, UInt32, UInt32, UInt16,
                    UInt16
                ).self),
            fields.0 == 0x0403_4b50, let name = bytes.readString(length: Int(fields.9)),
            bytes.readableBytes >= Int(fields.10)
        else { return nil }
        self.name = name
        crc32 = fields.6
        size = 30 + Int(fields.9) + Int(fields.10)
        contentSize = Int64(fields.7)
    }
}

/// The end of a ZIP archive (sections 4.3.14 to 4.3.16). The ZIP64 records are there only if the others are too small.
struct ZipEnd: Sendable {
    let count: Int
    /// The size of the central directory in bytes.
    let directorySize: Int64
    /// The position of the central directory.
    let directoryOffset: Int64

    private var isZip64: Bool {
        count >= Int(UInt16.max) || directorySize >= Int64(ZipEntry.inExtraField)
            || directoryOffset >= Int64(ZipEntry.inExtraField)
    }

    /// The size in bytes.
    var size: Int64 { isZip64 ? 56 + 20 + 22 : 22 }

    var bytes: ByteBuffer {
        var end = ByteBuffer()
        if isZip64 {
            end.writeInteger(UInt32(0x0606_4b50), endianness: .little)
            end.writeInteger(UInt64(44), endianness: .little)
            end.writeMultipleIntegers(UInt16(3 << 8 | 45), UInt16(45), endianness: .little)
            end.writeMultipleIntegers(UInt32(0), UInt32(0), endianness: .little)
            end.writeMultipleIntegers(UInt64(count), UInt64(count), endianness: .little)
            end.writeMultipleIntegers(directorySize, directoryOffset, endianness: .little)
            end.writeMultipleIntegers(UInt32(0x0706_4b50), UInt32(0), endianness: .little)
            end.writeInteger(directoryOffset + directorySize, endianness: .little)
            end.writeInteger(UInt32(1), endianness: .little)
        }
        end.writeInteger(UInt32(0x0605_4b50), endianness: .little)
        end.writeMultipleIntegers(UInt16(0), UInt16(0), endianness: .little)
        end.writeMultipleIntegers(UInt16(clamping: count), UInt16(clamping: count), endianness: .little)
        end.writeMultipleIntegers(
            UInt32(clamping: directorySize), UInt32(clamping: directoryOffset), endianness: .little)
        end.writeInteger(UInt16(0))
        return end
    }
}
