extension PhotoBytes {
    /// The header of a PNG without pixels.
    package static func png(width: Int, height: Int, isAnimated: Bool = false) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let header = chunk("IHDR", length(width) + length(height) + [8, 6, 0, 0, 0])
        let animation = isAnimated ? chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) : []
        // Names of other chunks may be among texts and pixels.
        return signature + header + chunk("tEXt", Array("IDAT".utf8)) + animation + chunk("IDAT", Array("acTL".utf8))
            + chunk("IEND", [])
    }

    /// A WebP in the extended format, without pixels.
    /// - Parameter picture: The width and height of a lossless picture in it.
    package static func webP(
        width: Int, height: Int, isAnimated: Bool = false, picture: (width: Int, height: Int)? = nil
    ) -> [UInt8] {
        let size = { (value: Int) in length(value - 1).reversed().prefix(3) }
        let header: [UInt8] = [isAnimated ? 2 : 0, 0, 0, 0] + size(width) + size(height)
        var content = Array("WEBPVP8X".utf8) + length(header.count).reversed() + header
        if let picture {
            let bits = length((picture.height - 1) << 14 | (picture.width - 1)).reversed()
            content += Array("VP8L".utf8) + length(5).reversed() + [0x2f] + bits + [0]
        }
        return Array("RIFF".utf8) + length(content.count).reversed() + content
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        length(data.count) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    private static func length(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
