/// Pictures with an XMP packet, and RAW files with EXIF in boxes.
extension PhotoBytes {
    /// - Parameter isCompressed: Whether the packet is marked as compressed; its bytes are unchanged.
    package static func png(exif: [UInt8]? = nil, xmp: String, isCompressed: Bool = false) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
            big32(data.count) + Array(kind.utf8) + data + [0, 0, 0, 0]
        }
        let flags: [UInt8] = [isCompressed ? 1 : 0, 0]
        let text = Array("XML:com.adobe.xmp\0".utf8) + flags + Array("en\0Packet\0".utf8) + Array(xmp.utf8)
        return header + chunk("IHDR", [UInt8](repeating: 0, count: 13)) + chunk("iTXt", Array("Title\0\0\0\0\0a".utf8))
            + (exif.map { chunk("eXIf", $0) } ?? []) + chunk("iTXt", text)
    }

    package static func webp(exif: [UInt8]? = nil, xmp: String) -> [UInt8] {
        func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
            Array(kind.utf8) + big32(data.count).reversed() + data + (data.count % 2 == 1 ? [0] : [])
        }
        let chunks = (exif.map { chunk("EXIF", $0) } ?? []) + chunk("XMP ", Array(xmp.utf8))
        return Array("RIFF".utf8) + big32(chunks.count + 4).reversed() + Array("WEBP".utf8) + chunks
    }

    /// - Parameter mediaType: The media type of the item with the packet.
    package static func heic(exif: [UInt8]? = nil, xmp: String, mediaType: String = "application/rdf+xml") -> [UInt8] {
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
    package static func cr3(_ boxes: [(kind: String, tiff: [UInt8])], name: [UInt8] = canonName) -> [UInt8] {
        let canon = box(
            "uuid", name + box("CNCV", Array("CanonCR3_001".utf8)) + boxes.flatMap { box($0.kind, $0.tiff) })
        let other = box("uuid", [UInt8](repeating: 9, count: 16) + [1, 2, 3])
        return box("ftyp", Array("crx ".utf8) + big32(1) + Array("crx isom".utf8)) + box("moov", other + canon)
            + box("mdat", [1, 2, 3])
    }

    package static let canonName: [UInt8] = [
        0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
    ]
}
