/// Finds the EXIF block and the XMP packet in a HEIF, HEIC or AVIF file: items (ISO/IEC 23008-12 annex A) whose places the
/// `iloc` box gives (ISO/IEC 14496-12 section 8.11).
enum HEIFStructure {
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        guard let data = item(in: bytes, where: { $0.starts(with: "Exif") }), let skipped = data.uint32(at: 0, .big)
        else {
            return nil
        }
        // The item begins with the number of bytes to skip before the TIFF header.
        return data.window(at: 4 + Int(skipped), count: data.count - 4 - Int(skipped))
    }

    /// The item of type `mime` with XMP's media type.
    static func xmp(in bytes: ByteWindow) -> ByteWindow? {
        item(in: bytes) { type in
            guard type.starts(with: "mime"), let name = type.end(ofTextAt: 4, before: type.count) else { return false }
            return type.has(Array("application/rdf+xml".utf8) + [0], at: name)
        }
    }

    /// The bytes of the first item of a type, as far as they are in these bytes.
    /// - Parameter isWanted: called with an item's entry from its type on.
    private static func item(in bytes: ByteWindow, where isWanted: (ByteWindow) -> Bool) -> ByteWindow? {
        guard let meta = ISOBoxes(bytes).first("meta"), let boxes = meta.window(at: 4, count: meta.count - 4),
            let item = ISOBoxes(boxes).first("iinf").flatMap({ id(in: $0, where: isWanted) }),
            let location = ISOBoxes(boxes).first("iloc").flatMap({ ItemLocations($0)?.location(of: item) })
        else { return nil }
        return bytes.window(at: location.offset, count: min(location.length, bytes.count - location.offset))
    }

    private static func id(in iinf: ByteWindow, where isWanted: (ByteWindow) -> Bool) -> UInt32? {
        guard let version = iinf.uint8(at: 0) else { return nil }
        let start = version == 0 ? 6 : 8
        guard let entries = iinf.window(at: start, count: iinf.count - start) else { return nil }
        for box in ISOBoxes(entries) where box.kind == "infe" {
            let entry = box.payload
            guard let version = entry.uint8(at: 0), version == 2 || version == 3 else { continue }
            let wide = version == 3
            let type = wide ? 10 : 8
            guard let contents = entry.window(at: type, count: entry.count - type), isWanted(contents) else { continue }
            return wide ? entry.uint32(at: 4, .big) : entry.uint16(at: 4, .big).map(UInt32.init)
        }
        return nil
    }
}

/// The `iloc` box, with the location of each item's bytes.
private struct ItemLocations {
    private let bytes: ByteWindow
    private let version: UInt8
    private let offsetSize: Int
    private let lengthSize: Int
    private let baseSize: Int
    private let indexSize: Int

    init?(_ bytes: ByteWindow) {
        guard let version = bytes.uint8(at: 0), version <= 2, let sizes = bytes.uint16(at: 4, .big) else { return nil }
        self.bytes = bytes
        self.version = version
        offsetSize = Int(sizes >> 12)
        lengthSize = Int(sizes >> 8 & 15)
        baseSize = Int(sizes >> 4 & 15)
        indexSize = version == 0 ? 0 : Int(sizes & 15)
    }

    /// Returns the location of an item that is stored in one extent of the file.
    func location(of item: UInt32) -> (offset: Int, length: Int)? {
        var cursor = 6
        let idSize = version == 2 ? 4 : 2
        guard let count = readInteger(idSize, &cursor) else { return nil }
        for _ in 0..<min(count, 4096) {
            guard let id = readInteger(idSize, &cursor), let method = version == 0 ? 0 : readInteger(2, &cursor),
                readInteger(2, &cursor) != nil, let base = readInteger(baseSize, &cursor),
                let extents = readInteger(2, &cursor)
            else { return nil }
            if id == Int(item) {
                guard extents == 1, method & 15 == 0, readInteger(indexSize, &cursor) != nil,
                    let offset = readInteger(offsetSize, &cursor), let length = readInteger(lengthSize, &cursor)
                else { return nil }
                return (base + offset, length)
            }
            cursor += extents * (indexSize + offsetSize + lengthSize)
        }
        return nil
    }

    /// Reads a number of 0, 2, 4 or 8 bytes. Numbers from 2⁴⁰ on cannot be offsets in a readable file.
    private func readInteger(_ size: Int, _ cursor: inout Int) -> Int? {
        defer { cursor += size }
        switch size {
        case 0: return 0
        case 2: return bytes.uint16(at: cursor, .big).map(Int.init)
        case 4: return bytes.uint32(at: cursor, .big).map(Int.init)
        case 8:
            guard let high = bytes.uint32(at: cursor, .big), let low = bytes.uint32(at: cursor + 4, .big), high < 256
            else { return nil }
            return Int(high) << 32 | Int(low)
        default: return nil
        }
    }
}
