/// Bounds the time for reading a file whose parts are as small as possible.
private enum StructureLimit {
    /// The most segments, fill bytes or chunks that are read of a file; cameras write fewer than a hundred.
    static let parts = 4096
}

/// Finds the EXIF block (a TIFF structure), the XMP packet and the size in a JPEG file.
enum JPEGStructure {
    /// Returns the payload of the first APP1 segment that begins with `Exif` and two NULs (Exif 2.32 section 4.7.2).
    static func exif(in bytes: ByteWindow) -> ByteWindow? { application1(Array("Exif".utf8) + [0, 0], in: bytes) }

    /// Returns the payload of the first APP1 segment with the XMP namespace (XMP specification part 3, section 1.1.3).
    static func xmp(in bytes: ByteWindow) -> ByteWindow? {
        application1(Array("http://ns.adobe.com/xap/1.0/".utf8) + [0], in: bytes)
    }

    private static func application1(_ name: [UInt8], in bytes: ByteWindow) -> ByteWindow? {
        var offset = 2
        for _ in 0..<StructureLimit.parts {
            guard let marker = bytes.uint16(at: offset, .big), let length = bytes.uint16(at: offset + 2, .big) else {
                return nil
            }
            let isSegment = (0xffe0...0xffef).contains(marker) || marker == 0xfffe || marker == 0xffdb
            guard isSegment, length >= 2 else { return nil }
            if marker == 0xffe1, bytes.has(name, at: offset + 4), Int(length) >= name.count + 2 {
                return bytes.window(at: offset + 4 + name.count, count: Int(length) - 2 - name.count)
            }
            offset += 2 + Int(length)
        }
        return nil
    }

    /// Returns the size in the frame header (ITU T.81 section B.2.2), which precedes the first scan.
    static func dimensions(in bytes: ByteWindow) -> PixelSize? {
        var offset = 2
        for _ in 0..<StructureLimit.parts {
            guard let marker = bytes.uint16(at: offset, .big) else { return nil }
            // Any number of fill bytes may precede a marker.
            if marker == 0xffff {
                offset += 1
                continue
            }
            guard marker > 0xff01, marker != 0xffd9, marker != 0xffda, let length = bytes.uint16(at: offset + 2, .big),
                length >= 2
            else { return nil }
            let isFrame = (0xffc0...0xffcf).contains(marker) && ![0xffc4, 0xffc8, 0xffcc].contains(marker)
            if isFrame {
                return PixelSize(
                    bytes.uint16(at: offset + 7, .big).map(Int.init), bytes.uint16(at: offset + 5, .big).map(Int.init))
            }
            offset += 2 + Int(length)
        }
        return nil
    }
}

/// Finds the canvas size in a GIF file.
enum GIFStructure {
    static func dimensions(in bytes: ByteWindow) -> PixelSize? {
        PixelSize(bytes.uint16(at: 6, .little).map(Int.init), bytes.uint16(at: 8, .little).map(Int.init))
    }
}

/// Finds the EXIF block, the XMP packet and the size in a PNG file.
enum PNGStructure {
    /// Returns the size in the first chunk.
    static func dimensions(in bytes: ByteWindow) -> PixelSize? {
        guard bytes.has("IHDR", at: 12) else { return nil }
        return PixelSize(bytes.uint32(at: 16, .big).map(Int.init), bytes.uint32(at: 20, .big).map(Int.init))
    }

    /// Returns the data of the `eXIf` chunk (PNG third edition, section 11.3.3.6).
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        var offset = 8
        for _ in 0..<StructureLimit.parts {
            guard let length = bytes.uint32(at: offset, .big), length <= UInt32(Int32.max) else { return nil }
            if bytes.has("eXIf", at: offset + 4) { return bytes.window(at: offset + 8, count: Int(length)) }
            offset += 12 + Int(length)
        }
        return nil
    }

    /// The text of the `iTXt` chunk with XMP's keyword (XMP specification part 3, section 1.1.5; PNG third edition, section
    /// 11.3.3.3), as far as it is in these bytes. XMP asks that it is not compressed.
    static func xmp(in bytes: ByteWindow) -> ByteWindow? {
        let keyword = Array("XML:com.adobe.xmp".utf8) + [0]
        var offset = 8
        for _ in 0..<StructureLimit.parts {
            guard let length = bytes.uint32(at: offset, .big), length <= UInt32(Int32.max) else { return nil }
            if bytes.has("iTXt", at: offset + 4), bytes.has(keyword, at: offset + 8) {
                let end = min(offset + 8 + Int(length), bytes.count)
                let flags = offset + 8 + keyword.count
                guard bytes.uint8(at: flags) == 0,
                    let language = bytes.end(ofTextAt: flags + 2, before: end),
                    let translation = bytes.end(ofTextAt: language, before: end)
                else { return nil }
                return bytes.window(at: translation, count: end - translation)
            }
            offset += 12 + Int(length)
        }
        return nil
    }
}

/// Finds the EXIF block, the XMP packet and the size in a WebP file.
enum WebPStructure {
    /// Returns the data of the `EXIF` chunk (RFC 9649 section 2.7.1.5), without the six-byte JPEG prefix that some
    /// writers add.
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        chunk("EXIF", in: bytes).flatMap { $0.has("Exif") ? $0.window(at: 6, count: $0.count - 6) : $0 }
    }

    /// The data of the `XMP ` chunk (RFC 9649 section 2.7.1.5).
    static func xmp(in bytes: ByteWindow) -> ByteWindow? { chunk("XMP ", in: bytes) }

    private static func chunk(_ kind: String, in bytes: ByteWindow) -> ByteWindow? {
        var offset = 12
        for _ in 0..<StructureLimit.parts {
            guard let length = bytes.uint32(at: offset + 4, .little), length <= UInt32(Int32.max) else { return nil }
            if bytes.has(kind, at: offset) { return bytes.window(at: offset + 8, count: Int(length)) }
            offset += 8 + Int(length) + Int(length & 1)
        }
        return nil
    }

    /// Returns the canvas size of the extended format, or the size of the picture itself (RFC 9649 sections 2.5 to 2.7,
    /// RFC 6386 section 9.1).
    static func dimensions(in bytes: ByteWindow) -> PixelSize? {
        if bytes.has("VP8X", at: 12) { return PixelSize(oneLess(bytes, at: 24), oneLess(bytes, at: 27)) }
        if bytes.has("VP8L", at: 12), bytes.uint8(at: 20) == 0x2f, let bits = bytes.uint32(at: 21, .little) {
            return PixelSize(Int(bits & 0x3fff) + 1, Int(bits >> 14 & 0x3fff) + 1)
        }
        guard bytes.has("VP8 ", at: 12), bytes.has([0x9d, 0x01, 0x2a], at: 23) else { return nil }
        // The two highest bits are a display scale.
        return PixelSize(
            bytes.uint16(at: 26, .little).map { Int($0 & 0x3fff) },
            bytes.uint16(at: 28, .little).map { Int($0 & 0x3fff) })
    }

    /// Reads a three-byte number that is stored minus one.
    private static func oneLess(_ bytes: ByteWindow, at offset: Int) -> Int? {
        guard let low = bytes.uint16(at: offset, .little), let high = bytes.uint8(at: offset + 2) else { return nil }
        return (Int(high) << 16 | Int(low)) + 1
    }
}

/// Finds the EXIF block in a Fujifilm RAW file: that of the JPEG preview, whose location is in the header.
enum RAFStructure {
    static func exif(in bytes: ByteWindow) -> ByteWindow? {
        guard let offset = bytes.uint32(at: 84, .big), let length = bytes.uint32(at: 88, .big) else { return nil }
        let remaining = bytes.count - Int(offset)
        return bytes.window(at: Int(offset), count: min(Int(length), remaining)).flatMap(JPEGStructure.exif(in:))
    }
}
