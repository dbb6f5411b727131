import PhotolalaTesting

/// One small file of each format that is searched for a photo's date.
enum PhotoSeeds {
    static var all: [[UInt8]] {
        [
            jpeg, png, webp, heic, tiff, raf, film, located, jpegWithXMP, pngWithXMP, webpWithXMP, heicWithXMP, cr3,
            positioned,
        ]
    }

    private static let positioned = PhotoBytes.jpeg(
        1,
        exif: PhotoBytes.positioned(
            north: [(33, 1), (51, 1), (2442, 100)], east: [(151, 1), (12, 1), (5508, 100)], "SE"), length: 300)
    private static let tiff: [UInt8] =
        Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
        + [1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0] + Array("2026:11:22 10:20:30\0".utf8)
    /// A date with its offset, a camera, and GPS time.
    private static let located: [UInt8] = {
        func field(_ tag: Int, _ kind: UInt8, _ count: Int, _ value: Int) -> [UInt8] {
            little16(tag) + [kind, 0] + little32(count) + little32(value)
        }
        let first =
            little16(3) + field(0x0110, 2, 8, 128) + field(0x8769, 4, 1, 50) + field(0x8825, 4, 1, 80) + little32(0)
        let exif = little16(2) + field(0x9003, 2, 20, 136) + field(0x9011, 2, 7, 156) + little32(0)
        let place = little16(2) + field(0x0007, 5, 3, 163) + field(0x001d, 2, 11, 187) + little32(0)
        let time = [23, 0, 30].flatMap { little32($0) + little32(1) }
        let texts = Array("iPhone\0\0".utf8) + Array("2026:01:01 08:00:30\0".utf8) + Array("+09:00\0".utf8)
        let folders = first + exif + place
        return Array("II*\0".utf8) + little32(8) + folders + [UInt8](repeating: 0, count: 120 - folders.count) + texts
            + time + Array("2025:12:31\0".utf8)
    }()
    private static let xmp =
        Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        + Array("<rdf:Description exif:DateTimeOriginal=\"2026-01-01T08:00:00+09:00\"/>".utf8)
    private static let jpegWithXMP: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe1] + big16(xmp.count + 2) + xmp + [0xff, 0xda, 0, 2, 0xff, 0xd9]
    private static let packet = Array("<a xmp:CreateDate='2026-01-01T08:00:00+09:00'/>".utf8)
    private static let pngWithXMP: [UInt8] = {
        let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big32(13) + Array("IHDR".utf8)
            + [UInt8](repeating: 0, count: 17) + big32(text.count) + Array("iTXt".utf8) + text + [0, 0, 0, 0]
    }()
    private static let webpWithXMP: [UInt8] =
        Array("RIFF".utf8) + little32(packet.count + 12) + Array("WEBPXMP ".utf8) + little32(packet.count) + packet
    private static let exif = Array("Exif\0\0".utf8) + tiff
    private static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe1] + big16(exif.count + 2) + exif + [0xff, 0xda, 0, 2, 0xff, 0xd9]
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big32(13) + Array("IHDR".utf8)
        + [UInt8](repeating: 0, count: 17) + big32(tiff.count) + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
    private static let webp: [UInt8] =
        Array("RIFF".utf8) + little32(tiff.count + 12) + Array("WEBPEXIF".utf8) + little32(tiff.count) + tiff
    private static let raf: [UInt8] =
        Array("FUJIFILMCCD-RAW 0201FF383501".utf8) + [UInt8](repeating: 0, count: 56) + big32(100) + big32(jpeg.count)
        + [UInt8](repeating: 0, count: 8) + jpeg

    private static var film: [UInt8] {
        let mvhd = box("mvhd", big32(0) + big32(3_797_411_445) + [UInt8](repeating: 0, count: 92))
        let turned = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30].flatMap { big32($0 & 0xffff_ffff) }
        let tkhd = box("tkhd", [UInt8](repeating: 0, count: 40) + turned + big32(1920 << 16) + big32(1080 << 16))
        return box("ftyp", Array("qt  ".utf8) + big32(0) + Array("qt  ".utf8)) + box("mdat", [1, 2, 3])
            + box("moov", mvhd + box("trak", tkhd))
    }

    private static var heic: [UInt8] {
        let ftyp = box("ftyp", Array("heic".utf8) + big32(0) + Array("mif1heic".utf8))
        let infe = box("infe", [2, 0, 0, 0] + big16(7) + big16(0) + Array("Exif".utf8) + [0])
        let iinf = box("iinf", [0, 0, 0, 0] + big16(1) + infe)
        let item = big32(0) + tiff
        func meta(_ offset: Int) -> [UInt8] {
            let place = big16(7) + big16(0) + big16(1) + big32(offset) + big32(item.count)
            return box("meta", [0, 0, 0, 0] + iinf + box("iloc", [0, 0, 0, 0, 0x44, 0x00] + big16(1) + place))
        }
        return ftyp + meta(ftyp.count + meta(0).count + 8) + box("mdat", item)
    }

    private static var heicWithXMP: [UInt8] {
        let ftyp = box("ftyp", Array("heic".utf8) + big32(0) + Array("mif1heic".utf8))
        let type = Array("mime\0application/rdf+xml\0".utf8)
        let iinf = box("iinf", [0, 0, 0, 0] + big16(1) + box("infe", [2, 0, 0, 1] + big16(8) + big16(0) + type))
        func meta(_ offset: Int) -> [UInt8] {
            let place = big16(8) + big16(0) + big16(1) + big32(offset) + big32(packet.count)
            return box("meta", [0, 0, 0, 0] + iinf + box("iloc", [0, 0, 0, 0, 0x44, 0x00] + big16(1) + place))
        }
        return ftyp + meta(ftyp.count + meta(0).count + 8) + box("mdat", packet)
    }

    private static var cr3: [UInt8] {
        let name: [UInt8] = [
            0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
        ]
        let canon = box("uuid", name + box("CMT1", located) + box("CMT2", tiff) + box("CMT4", located))
        return box("ftyp", Array("crx ".utf8) + big32(1) + Array("crx isom".utf8)) + box("moov", canon)
    }

    private static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        big32(payload.count + 8) + Array(kind.utf8) + payload
    }

    private static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    private static func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xffff) + big16(value & 0xffff) }
    private static func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
    private static func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }
}
