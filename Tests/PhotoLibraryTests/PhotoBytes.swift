import Foundation

/// Small pictures, made byte by byte.
enum PhotoBytes {
    /// A JPEG whose content differs by seed; long enough to be told apart by its middle.
    static func jpeg(_ seed: Int, exif: [UInt8]? = nil, length: Int = 600) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        if let exif {
            let payload = Array("Exif\0\0".utf8) + exif
            bytes += [0xff, 0xe1] + big16(payload.count + 2) + payload
        } else {
            bytes += [0xff, 0xe0] + big16(16) + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        }
        bytes += [0xff, 0xda, 0, 2]
        bytes += Array("seed \(seed) ".utf8)
        while bytes.count < length { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31 &+ seed)) }
        return bytes + [0xff, 0xd9]
    }

    static func png(exif: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let ihdr = big32(13) + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        return header + ihdr + big32(exif.count) + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
    }

    /// A HEIC file with nothing in it but an EXIF item.
    static func heic(exif: [UInt8]) -> [UInt8] {
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

    /// A TIFF structure with an EXIF folder that holds the given texts.
    static func exif(_ fields: [(tag: Int, text: String)], bigEndian: Bool = false) -> [UInt8] {
        let n16 = bigEndian ? big16 : { big16($0).reversed() }
        let n32 = bigEndian ? big32 : { big32($0).reversed() }
        var bytes: [UInt8] = bigEndian ? [0x4d, 0x4d, 0, 0x2a] : [0x49, 0x49, 0x2a, 0]
        bytes += n32(8) + n16(1) + n16(0x8769) + n16(4) + n32(1) + n32(26) + n32(0)
        var texts: [UInt8] = []
        let textStart = 26 + 2 + fields.count * 12 + 4
        bytes += n16(fields.count)
        for field in fields {
            let text = Array(field.text.utf8) + [0]
            bytes += n16(field.tag) + n16(2) + n32(text.count)
            if text.count <= 4 {
                bytes += text + [UInt8](repeating: 0, count: 4 - text.count)
            } else {
                bytes += n32(textStart + texts.count)
                texts += text
            }
        }
        return bytes + n32(0) + texts
    }

    static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        big32(payload.count + 8) + Array(kind.utf8) + payload
    }

    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xffff) + big16(value & 0xffff) }
}
