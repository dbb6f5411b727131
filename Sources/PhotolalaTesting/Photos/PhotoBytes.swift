/// Small pictures, built byte by byte.
package enum PhotoBytes {
    /// A JPEG whose content depends on the seed, including its middle.
    package static func jpeg(_ seed: Int, exif: [UInt8]? = nil, xmp: String? = nil, length: Int = 600) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        if let exif {
            let payload = Array("Exif\0\0".utf8) + exif
            bytes += [0xff, 0xe1] + big16(payload.count + 2) + payload
        } else {
            bytes += [0xff, 0xe0] + big16(16) + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        }
        if let xmp {
            let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
            bytes += [0xff, 0xe1] + big16(payload.count + 2) + payload
        }
        bytes += [0xff, 0xda, 0, 2]
        bytes += Array("seed \(seed) ".utf8)
        // The values repeat after 256 bytes.
        let start = bytes.count
        let values = (start..<start + 256).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }
        while bytes.count < length { bytes += values.prefix(length - bytes.count) }
        return bytes + [0xff, 0xd9]
    }

    /// A gray JPEG that is well-formed by its markers, whose content depends on the seed.
    /// - Parameters:
    ///   - scans: The number of scans; several with the header of a progressive picture.
    ///   - length: The minimum number of bytes.
    package static func picture(
        _ seed: Int, width: Int = 16, height: Int = 12, scans: Int = 1, length: Int = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe0] + big16(16) + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        bytes += [0xff, scans == 1 ? 0xc0 : 0xc2] + big16(11) + [8] + big16(height) + big16(width) + [1, 1, 0x11, 0]
        for scan in 1...scans {
            bytes += [0xff, 0xda] + big16(8) + [1, 1, 0, 0, 63, 0]
            bytes += Array("seed \(seed) ".utf8) + [0xff, 0, 0xff, 0xd0]
            guard scan == scans else { continue }
            // The values repeat after 255 bytes, and none is the beginning of a marker.
            let start = bytes.count
            let values = (start..<start + 255).map { UInt8($0 % 255) }
            while bytes.count < length - 2 { bytes += values.prefix(length - 2 - bytes.count) }
        }
        return bytes + [0xff, 0xd9]
    }

    package static func png(exif: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let ihdr = big32(13) + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        return header + ihdr + big32(exif.count) + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
    }

    /// A HEIC file that contains only an EXIF item.
    package static func heic(exif: [UInt8]) -> [UInt8] {
        let ftyp = box("ftyp", Array("heic".utf8) + big32(0) + Array("mif1heic".utf8))
        let infe = box("infe", [2, 0, 0, 0] + big16(7) + big16(0) + Array("Exif".utf8) + [0])
        let iinf = box("iinf", [0, 0, 0, 0] + big16(1) + infe)
        let item = big32(0) + exif
        func meta(_ offset: Int) -> [UInt8] {
            let place = big16(7) + big16(0) + big16(1) + big32(offset) + big32(item.count)
            return box("meta", [0, 0, 0, 0] + iinf + box("iloc", [0, 0, 0, 0, 0x44, 0x00] + big16(1) + place))
        }
        let offset = ftyp.count + meta(0).count + 8
        return ftyp + meta(offset) + box("mdat", item)
    }

    /// A TIFF structure with an EXIF folder of the given texts.
    /// - Parameter first: The texts of the first folder.
    package static func exif(
        _ fields: [(tag: Int, text: String)], first: [(tag: Int, text: String)] = [], bigEndian: Bool = false
    ) -> [UInt8] {
        tiff(first, exif: fields, place: [], bigEndian: bigEndian)
    }

    /// The same with GPS time.
    package static func located(
        _ fields: [(tag: Int, text: String)], first: [(tag: Int, text: String)] = [], day: String, time: [(Int, Int)]
    ) -> [UInt8] {
        let fractions = time.flatMap { big32($0.0).reversed() + big32($0.1).reversed() }
        let place: [TIFFField] = [
            TIFFField(tag: 0x0007, kind: 5, count: time.count, bytes: fractions), TIFFField(tag: 0x001d, text: day),
        ]
        return tiff(first, exif: fields, place: place, bigEndian: false)
    }

    /// A TIFF structure with a GPS position.
    /// - Parameters:
    ///   - north: Degrees, minutes and seconds, as fractions.
    ///   - directions: Two letters, such as `NE`.
    package static func positioned(
        north: [(Int, Int)], east: [(Int, Int)], _ directions: String, bigEndian: Bool = false
    ) -> [UInt8] {
        let number = { (value: Int) in bigEndian ? big32(value) : big32(value).reversed() }
        let place = zip([north, east], directions).enumerated().flatMap { index, value in
            let (fractions, direction) = value
            return [
                TIFFField(tag: 1 + 2 * index, text: String(direction)),
                TIFFField(
                    tag: 2 + 2 * index, kind: 5, count: fractions.count,
                    bytes: fractions.flatMap { number($0.0) + number($0.1) }),
            ]
        }
        return tiff([], exif: [], place: place, bigEndian: bigEndian)
    }

    private struct TIFFField {
        let tag: Int
        let kind: Int
        let count: Int
        let bytes: [UInt8]

        init(tag: Int, kind: Int, count: Int, bytes: [UInt8]) {
            (self.tag, self.kind, self.count, self.bytes) = (tag, kind, count, bytes)
        }

        init(tag: Int, text: String) {
            self.init(tag: tag, kind: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
        }
    }

    private static func tiff(
        _ first: [(tag: Int, text: String)], exif: [(tag: Int, text: String)], place: [TIFFField], bigEndian: Bool
    ) -> [UInt8] {
        let n16 = bigEndian ? big16 : { big16($0).reversed() }
        let n32 = bigEndian ? big32 : { big32($0).reversed() }
        // Each folder is followed by the data of its fields.
        func folder(_ fields: [TIFFField], at start: Int) -> [UInt8] {
            var (entries, data) = (n16(fields.count), [UInt8]())
            let dataStart = start + 2 + fields.count * 12 + 4
            for field in fields {
                entries += n16(field.tag) + n16(field.kind) + n32(field.count)
                if field.bytes.count <= 4 {
                    entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
                } else {
                    entries += n32(dataStart + data.count)
                    data += field.bytes
                }
            }
            return entries + n32(0) + data
        }
        func pointer(_ tag: Int, _ place: Int) -> TIFFField {
            TIFFField(tag: tag, kind: 4, count: 1, bytes: n32(place))
        }
        let texts = first.map { TIFFField(tag: $0.tag, text: $0.text) }
        let ends = place.isEmpty ? [0x8769] : [0x8769, 0x8825]
        let length = folder(texts + ends.map { pointer($0, 0) }, at: 8).count
        let exifFolder = folder(exif.map { TIFFField(tag: $0.tag, text: $0.text) }, at: 8 + length)
        let places = [8 + length, 8 + length + exifFolder.count]
        let head: [UInt8] = bigEndian ? [0x4d, 0x4d, 0, 0x2a] : [0x49, 0x49, 0x2a, 0]
        let root = folder(texts + zip(ends, places).map { pointer($0, $1) }, at: 8)
        return head + n32(8) + root + exifFolder + (place.isEmpty ? [] : folder(place, at: places[1]))
    }

    package static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        big32(payload.count + 8) + Array(kind.utf8) + payload
    }

    package static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    package static func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xffff) + big16(value & 0xffff) }
}
