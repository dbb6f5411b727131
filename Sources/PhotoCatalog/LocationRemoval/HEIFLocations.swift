import NIOCore

/// The location of the bytes of each item of a HEIF file (ISO/IEC 14496-12 section 8.11.3).
struct HEIFLocations {
    struct Location {
        /// Whether the offsets count from the beginning of the `idat` box instead of the file.
        let isInData: Bool
        let extents: [(offset: UInt64, length: UInt64)]

        /// Returns the ranges of the file.
        func ranges(data: NestedBytes?, fileSize: Int64) throws -> [Range<Int64>] {
            let whole = isInData ? try known(data).range : 0..<fileSize
            return try extents.map { extent in
                let start = try known(Int64(exactly: extent.offset))
                let length = try known(Int64(exactly: extent.length))
                // A length of zero is the whole source.
                try require(length > 0 && length <= whole.count && start <= Int64(whole.count) - length)
                return whole.lowerBound + start..<whole.lowerBound + start + length
            }
        }
    }

    private static let extentLimit = 1 << 16

    private(set) var items: [UInt32: Location] = [:]
    /// The length of the table in bytes.
    let length: Int

    init(_ bytes: ByteWindow) throws {
        let version = try known(bytes.uint8(at: 0))
        let widths = try known(bytes.uint16(at: 4, .big))
        try require(version <= 2)
        let (offset, size, base) = (Int(widths >> 12), Int(widths >> 8 & 15), Int(widths >> 4 & 15))
        let index = version == 0 ? 0 : Int(widths & 15)
        try require([offset, size, base, index].allSatisfy { [0, 4, 8].contains($0) })
        var fields = FieldReader(bytes: bytes, position: 6)
        var remaining = Self.extentLimit
        for _ in 0..<(try fields.next(version < 2 ? 2 : 4)) {
            let item = UInt32(truncatingIfNeeded: try fields.next(version < 2 ? 2 : 4))
            let method = version == 0 ? 0 : try fields.next(2) & 15
            // Other files, and items that are made of other items, are not understood.
            try require(try method <= 1 && fields.next(2) == 0)
            let start = try fields.next(base)
            let count = Int(try fields.next(2))
            remaining -= count
            try require(remaining >= 0)
            var extents: [(offset: UInt64, length: UInt64)] = []
            for _ in 0..<count {
                _ = try fields.next(index)
                let (place, isTooLarge) = start.addingReportingOverflow(try fields.next(offset))
                try require(!isTooLarge)
                extents.append((place, try fields.next(size)))
            }
            let location = Location(isInData: method == 1, extents: extents)
            try require(items.updateValue(location, forKey: item) == nil)
        }
        length = fields.position
    }
}

/// Reads numbers of different widths one after the other.
private struct FieldReader {
    let bytes: ByteWindow
    var position: Int

    /// Returns a number of 0, 2, 4 or 8 bytes.
    mutating func next(_ width: Int) throws -> UInt64 {
        defer { position += width }
        switch width {
        case 0: return 0
        case 2: return UInt64(try known(bytes.uint16(at: position, .big)))
        case 4: return UInt64(try known(bytes.uint32(at: position, .big)))
        default:
            let high = try known(bytes.uint32(at: position, .big))
            return UInt64(high) << 32 | UInt64(try known(bytes.uint32(at: position + 4, .big)))
        }
    }
}
