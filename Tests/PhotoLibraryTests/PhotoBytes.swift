import Foundation
import NIOCore

@testable import PhotoCatalog

extension MediaFacts {
    /// The facts read from a file alone, with any date before 2100.
    static func read(_ bytes: MediaBytes, type: MediaType) -> MediaFacts {
        MediaReading(bytes, type: type).facts(until: Timestamp(seconds: 4_102_444_800, nanoseconds: 0))
    }

    static func read(head: ByteBuffer, type: MediaType) -> MediaFacts { read(MediaBytes(head), type: type) }
}

/// Small pictures, built byte by byte.
enum PhotoBytes {
    /// A JPEG whose content depends on the seed, including its middle.
    static func jpeg(_ seed: Int, exif: [UInt8]? = nil, xmp: String? = nil, length: Int = 600) -> [UInt8] {
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
        while bytes.count < length { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31 &+ seed)) }
        return bytes + [0xff, 0xd9]
    }

    static func png(exif: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let ihdr = big32(13) + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        return header + ihdr + big32(exif.count) + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
    }

    /// A HEIC file that contains only an EXIF item.
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

    /// A TIFF structure with an EXIF folder of the given texts.
    /// - Parameter first: The texts of the first folder.
    static func exif(
        _ fields: [(tag: Int, text: String)], first: [(tag: Int, text: String)] = [], bigEndian: Bool = false
    ) -> [UInt8] {
        tiff(first, exif: fields, place: [], bigEndian: bigEndian)
    }

    /// The same with GPS time.
    static func located(
        _ fields: [(tag: Int, text: String)], first: [(tag: Int, text: String)] = [], day: String, time: [(Int, Int)]
    ) -> [UInt8] {
        let fractions = time.flatMap { big32($0.0).reversed() + big32($0.1).reversed() }
        let place: [TIFFField] = [
            TIFFField(tag: 0x0007, kind: 5, count: time.count, bytes: fractions), TIFFField(tag: 0x001d, text: day),
        ]
        return tiff(first, exif: fields, place: place, bigEndian: false)
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

    static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        big32(payload.count + 8) + Array(kind.utf8) + payload
    }

    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xffff) + big16(value & 0xffff) }
}

/// Pictures with an XMP packet, and RAW files with EXIF in boxes.
extension PhotoBytes {
    /// - Parameter isCompressed: Whether the packet is marked as compressed; its bytes are unchanged.
    static func png(exif: [UInt8]? = nil, xmp: String, isCompressed: Bool = false) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
            big32(data.count) + Array(kind.utf8) + data + [0, 0, 0, 0]
        }
        let flags: [UInt8] = [isCompressed ? 1 : 0, 0]
        let text = Array("XML:com.adobe.xmp\0".utf8) + flags + Array("en\0Packet\0".utf8) + Array(xmp.utf8)
        return header + chunk("IHDR", [UInt8](repeating: 0, count: 13)) + chunk("iTXt", Array("Title\0\0\0\0\0a".utf8))
            + (exif.map { chunk("eXIf", $0) } ?? []) + chunk("iTXt", text)
    }

    static func webp(exif: [UInt8]? = nil, xmp: String) -> [UInt8] {
        func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
            Array(kind.utf8) + big32(data.count).reversed() + data + (data.count % 2 == 1 ? [0] : [])
        }
        let chunks = (exif.map { chunk("EXIF", $0) } ?? []) + chunk("XMP ", Array(xmp.utf8))
        return Array("RIFF".utf8) + big32(chunks.count + 4).reversed() + Array("WEBP".utf8) + chunks
    }

    /// - Parameter mediaType: The media type of the item with the packet.
    static func heic(exif: [UInt8]? = nil, xmp: String, mediaType: String = "application/rdf+xml") -> [UInt8] {
        let ftyp = box("ftyp", Array("heic".utf8) + big32(0) + Array("mif1heic".utf8))
        let exifEntry = box("infe", [2, 0, 0, 0] + big16(7) + big16(0) + Array("Exif\0".utf8))
        let xmpEntry = box(
            "infe", [2, 0, 0, 1] + big16(8) + big16(0) + Array("mime".utf8) + Array("XMP\0\(mediaType)\0".utf8))
        let items = (exif.map { [(7, exifEntry, big32(0) + $0)] } ?? []) + [(8, xmpEntry, Array(xmp.utf8))]
        let iinf = box("iinf", [0, 0, 0, 0] + big16(items.count) + items.flatMap(\.1))
        func meta(_ start: Int) -> [UInt8] {
            var (places, offset) = ([UInt8](), start)
            for item in items {
                places += big16(item.0) + big16(0) + big16(1) + big32(offset) + big32(item.2.count)
                offset += item.2.count
            }
            return box(
                "meta", [0, 0, 0, 0] + iinf + box("iloc", [0, 0, 0, 0, 0x44, 0x00] + big16(items.count) + places))
        }
        return ftyp + meta(ftyp.count + meta(0).count + 8) + box("mdat", items.flatMap(\.2))
    }

    /// - Parameter boxes: The TIFF structures of Canon's box by box type.
    static func cr3(_ boxes: [(kind: String, tiff: [UInt8])], name: [UInt8] = canonName) -> [UInt8] {
        let canon = box(
            "uuid", name + box("CNCV", Array("CanonCR3_001".utf8)) + boxes.flatMap { box($0.kind, $0.tiff) })
        let other = box("uuid", [UInt8](repeating: 9, count: 16) + [1, 2, 3])
        return box("ftyp", Array("crx ".utf8) + big32(1) + Array("crx isom".utf8)) + box("moov", other + canon)
            + box("mdat", [1, 2, 3])
    }

    static let canonName: [UInt8] = [
        0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
    ]
}
