/// Finds the EXIF block (a TIFF structure) in a JPEG file.
enum JPEGStructure {
    /// The payload of the first APP1 segment that begins with `Exif` and two NULs (Exif 2.32 section 4.7.2).
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        var offset = 2
        // Every segment moves the offset by at least four bytes, so the loop ends with the bytes.
        while let marker = bytes.uint16(at: offset, .big), let length = bytes.uint16(at: offset + 2, .big) {
            let isSegment = (0xffe0...0xffef).contains(marker) || marker == 0xfffe || marker == 0xffdb
            guard isSegment, length >= 2 else { return nil }
            if marker == 0xffe1, bytes.has(Array("Exif".utf8) + [0, 0], at: offset + 4), length >= 8 {
                return bytes.window(at: offset + 10, count: Int(length) - 8)
            }
            offset += 2 + Int(length)
        }
        return nil
    }
}

/// Finds the EXIF block in a PNG file.
enum PNGStructure {
    /// The data of the `eXIf` chunk (PNG third edition, section 11.3.3.6).
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        var offset = 8
        while let length = bytes.uint32(at: offset, .big), length <= UInt32(Int32.max) {
            if bytes.has("eXIf", at: offset + 4) { return bytes.window(at: offset + 8, count: Int(length)) }
            offset += 12 + Int(length)
        }
        return nil
    }
}

/// Finds the EXIF block in a WebP file.
enum WebPStructure {
    /// The data of the `EXIF` chunk (RFC 9649 section 2.7.1.5); some writers put JPEG's six bytes before it.
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        var offset = 12
        while let length = bytes.uint32(at: offset + 4, .little), length <= UInt32(Int32.max) {
            if bytes.has("EXIF", at: offset) {
                let data = bytes.window(at: offset + 8, count: Int(length))
                return data.flatMap { $0.has("Exif") ? $0.window(at: 6, count: $0.count - 6) : $0 }
            }
            offset += 8 + Int(length) + Int(length & 1)
        }
        return nil
    }
}

/// Finds the EXIF block in a Fujifilm RAW file: that of the JPEG preview, whose place the header gives.
enum RAFStructure {
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        guard let offset = bytes.uint32(at: 84, .big), let length = bytes.uint32(at: 88, .big) else { return nil }
        let rest = bytes.count - Int(offset)
        return bytes.window(at: Int(offset), count: min(Int(length), rest)).flatMap(JPEGStructure.exif(in:))
    }
}
