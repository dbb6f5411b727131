import NIOCore
import PhotoCatalog

/// The list of the files in a ZIP archive (APPNOTE.TXT 6.3.10 section 4.3.12), also with ZIP64.
package struct ZipDirectory: Sendable {
    /// The position and length of the list.
    package let offset: Int64
    package let length: Int64
    private let count: Int64

    /// The number of bytes at the end of an archive that contain the record of the directory: its comment has at most
    /// 65,535 bytes.
    package static let tailLength = 22 + 65_535 + ZipDirectory.locatorLength
    private static let locatorLength = 20
    /// The length of the ZIP64 record at the position that the tail names.
    package static let zip64RecordLength = 56

    private static let longestDirectory: Int64 = 256 << 20
    private static let mostFiles: Int64 = 2_000_000
    private static let longestName = 4096

    /// What is needed to find the directory.
    package enum Tail: Sendable {
        case directory(ZipDirectory)
        /// The ZIP64 record at this position.
        case zip64(Int64)
    }

    /// Reads the end of an archive.
    /// - Parameter size: The length of the archive.
    package static func tail(_ bytes: ByteBuffer, size: Int64) throws(ZipError) -> Tail {
        let view = bytes.readableBytesView
        var start = view.endIndex - 22
        while start >= view.startIndex {
            if view[start...].starts(with: [0x50, 0x4b, 5, 6]),
                let comment: UInt16 = bytes.getInteger(at: start + 20, endianness: .little),
                start + 22 + Int(comment) <= view.endIndex
            {
                break
            }
            start -= 1
        }
        guard start >= view.startIndex else { throw .noDirectory }
        let locator = start - locatorLength
        if locator >= view.startIndex, view[locator...].starts(with: [0x50, 0x4b, 6, 7]),
            let position: UInt64 = bytes.getInteger(at: locator + 8, endianness: .little)
        {
            guard position <= UInt64(size) else { throw .damagedDirectory }
            return .zip64(Int64(position))
        }
        var record = bytes
        record.moveReaderIndex(to: start + 4)
        guard
            let fields: (UInt16, UInt16, UInt16, UInt16, UInt32, UInt32) = record.readMultipleIntegers(
                endianness: .little)
        else { throw .noDirectory }
        guard fields.0 == 0, fields.1 == 0 else { throw .multipart }
        return .directory(
            try ZipDirectory(offset: Int64(fields.5), length: Int64(fields.4), count: Int64(fields.3), in: size))
    }

    /// Reads the ZIP64 record.
    package init(zip64Record: ByteBuffer, size: Int64) throws(ZipError) {
        var record = zip64Record
        guard record.readBytes(length: 4) == [0x50, 0x4b, 6, 6], record.readBytes(length: 12) != nil,
            let disks: (UInt32, UInt32) = record.readMultipleIntegers(endianness: .little),
            let fields: (UInt64, UInt64, UInt64, UInt64) = record.readMultipleIntegers(endianness: .little)
        else { throw .damagedDirectory }
        guard disks.0 == 0, disks.1 == 0 else { throw .multipart }
        let numbers = [fields.1, fields.2, fields.3].map { Int64(clamping: $0) }
        try self.init(offset: numbers[2], length: numbers[1], count: numbers[0], in: size)
    }

    private init(offset: Int64, length: Int64, count: Int64, in size: Int64) throws(ZipError) {
        guard count <= Self.mostFiles, length <= Self.longestDirectory else { throw .tooManyFiles }
        guard offset <= size, length <= size - offset else { throw .damagedDirectory }
        (self.offset, self.length, self.count) = (offset, length, count)
    }

    /// Reads the list. Files must not share bytes of the archive.
    package func members(_ bytes: ByteBuffer) throws(ZipError) -> [ZipMember] {
        var (bytes, members) = (bytes, [ZipMember]())
        while bytes.readableBytes > 0 {
            guard let member = Self.member(&bytes) else { throw .damagedDirectory }
            members.append(member)
            guard members.count <= Self.mostFiles else { throw .tooManyFiles }
        }
        guard members.count == count || members.count & 0xffff == count else { throw .damagedDirectory }
        var end: Int64 = 0
        for member in members.sorted(by: { $0.offset < $1.offset }) {
            guard member.offset >= end, member.offset <= offset,
                member.storedSize <= offset - member.offset
            else { throw .damagedDirectory }
            end = member.offset + member.storedSize + Int64(ZipMember.localHeaderLength)
        }
        return members
    }

    private static func member(_ bytes: inout ByteBuffer) -> ZipMember? {
        guard bytes.readBytes(length: 4) == [0x50, 0x4b, 1, 2], bytes.readBytes(length: 4) != nil,
            let kind: (UInt16, UInt16, UInt16, UInt16) = bytes.readMultipleIntegers(endianness: .little),
            let sizes: (UInt32, UInt32, UInt32) = bytes.readMultipleIntegers(endianness: .little),
            let lengths: (UInt16, UInt16, UInt16) = bytes.readMultipleIntegers(endianness: .little),
            bytes.readBytes(length: 8) != nil, let start: UInt32 = bytes.readInteger(endianness: .little),
            lengths.0 <= longestName, let name = bytes.readBytes(length: Int(lengths.0)),
            let extra = bytes.readSlice(length: Int(lengths.1)), bytes.readBytes(length: Int(lengths.2)) != nil,
            let large = LargeFields(size: sizes.2, storedSize: sizes.1, offset: start, extra)
        else { return nil }
        var refusal: ZipMember.Refusal?
        if kind.0 & 0x2041 != 0 { refusal = .encrypted }
        if kind.1 != 0, kind.1 != 8 { refusal = refusal ?? .unknownCompression }
        if isSuspicious(large, isCompressed: kind.1 == 8) { refusal = refusal ?? .suspiciousSize }
        return ZipMember(
            name: String(decoding: name, as: UTF8.self), size: large.size, storedSize: large.storedSize,
            crc32: sizes.0, modified: moment(date: kind.3, time: kind.2), offset: large.offset, refusal: refusal,
            isCompressed: kind.1 == 8)
    }

    /// A small archive must not keep a device busy with terabytes of zeros.
    private static func isSuspicious(_ fields: LargeFields, isCompressed: Bool) -> Bool {
        isCompressed
            ? fields.size > 64 << 20 && fields.size / 100 > fields.storedSize : fields.size != fields.storedSize
    }

    /// The fields that ZIP64 extends to 64 bits (section 4.5.3).
    private struct LargeFields {
        private(set) var size: Int64
        private(set) var storedSize: Int64
        private(set) var offset: Int64

        init?(size: UInt32, storedSize: UInt32, offset: UInt32, _ extra: ByteBuffer) {
            (self.size, self.storedSize, self.offset) = (Int64(size), Int64(storedSize), Int64(offset))
            guard [size, storedSize, offset].contains(.max) else { return }
            var extra = extra
            while let (kind, length): (UInt16, UInt16) = extra.readMultipleIntegers(endianness: .little),
                var field = extra.readSlice(length: Int(length))
            {
                guard kind == 1 else { continue }
                if size == .max { guard let value = Self.read(&field) else { return nil }; self.size = value }
                if storedSize == .max {
                    guard let value = Self.read(&field) else { return nil }; self.storedSize = value
                }
                if offset == .max { guard let value = Self.read(&field) else { return nil }; self.offset = value }
                return
            }
            return nil
        }

        private static func read(_ field: inout ByteBuffer) -> Int64? {
            guard let value: UInt64 = field.readInteger(endianness: .little), value < 1 << 62 else { return nil }
            return Int64(value)
        }
    }

    /// Returns a moment in the format of MS-DOS, which has no time zone.
    private static func moment(date: UInt16, time: UInt16) -> Timestamp {
        let (year, month, day) = (Int64(date >> 9) + 1980, Int64(date >> 5 & 15), Int64(date & 31))
        // Days since 1970 of the proleptic Gregorian calendar whose years begin in March.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        let seconds = Int64(time >> 11) * 3600 + Int64(time >> 5 & 63) * 60 + Int64(time & 31) * 2
        return Timestamp(seconds: days * 86_400 + seconds, nanoseconds: 0)
    }
}
