import NIOCore

/// All sizes that a JPEG, PNG or WebP file states. Programs differ in which of them they use, so one that reads only the
/// first may be deceived.
package enum StatedSizes {
    /// A width and a height in pixels, plausible or not.
    package struct Size: Equatable, Sendable {
        package let width: Int
        package let height: Int

        init?(_ width: Int?, _ height: Int?) {
            guard let width, let height else { return nil }
            (self.width, self.height) = (width, height)
        }

        init(_ size: PixelSize) { (width, height) = (Int(size.width), Int(size.height)) }
    }

    /// Returns the sizes in the order of the file; none for another type and for a file without a size.
    package static func all(in bytes: ByteBuffer, _ type: MediaType) -> [Size] {
        let bytes = ByteWindow(bytes)
        switch type {
        case .jpeg: return jpeg(bytes)
        case .png:
            guard bytes.has("IHDR", at: 12) else { return [] }
            let size = Size(
                bytes.uint32(at: 16, .big).map(Int.init), bytes.uint32(at: 20, .big).map(Int.init))
            return size.map { [$0] } ?? []
        case .webp: return webP(bytes)
        default: return []
        }
    }

    /// Returns the sizes of all frames (ITU T.81 section B.2.2), also behind bytes that a decoder skips.
    private static func jpeg(_ bytes: ByteWindow) -> [Size] {
        var sizes: [Size] = []
        var offset = 2
        while let marker = bytes.uint16(at: offset, .big), marker != 0xffd9 {
            // Pixels, fill bytes, and markers without a length.
            guard marker > 0xff01, marker != 0xffff, !(0xffd0...0xffd8).contains(marker) else {
                offset += 1
                continue
            }
            guard let length = bytes.uint16(at: offset + 2, .big), length >= 2 else { return [] }
            if (0xffc0...0xffcf).contains(marker), ![0xffc4, 0xffc8, 0xffcc].contains(marker) {
                let size = Size(
                    bytes.uint16(at: offset + 7, .big).map(Int.init), bytes.uint16(at: offset + 5, .big).map(Int.init))
                guard let size else { return [] }
                sizes.append(size)
            }
            offset += 2 + Int(length)
        }
        return sizes
    }

    /// Returns the size of the canvas and those of all pictures (RFC 9649 sections 2.5 to 2.7).
    private static func webP(_ bytes: ByteWindow) -> [Size] {
        var sizes: [Size] = []
        var offset = 12
        while let length = bytes.uint32(at: offset + 4, .little) {
            // The structure reads the first chunk, which follows a header of 12 bytes.
            if ["VP8X", "VP8L", "VP8 "].contains(where: { bytes.has($0, at: offset) }) {
                let chunk = bytes.window(at: offset - 12, count: bytes.count - offset + 12)
                guard let size = chunk.flatMap(WebPStructure.dimensions(in:)) else { return [] }
                sizes.append(Size(size))
            }
            offset += 8 + Int(length) + Int(length & 1)
        }
        return sizes
    }
}
