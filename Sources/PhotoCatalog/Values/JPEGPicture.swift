import NIOCore

/// A check of a JPEG by its markers (ITU T.81 section B.1), without decoding it: one frame that a decoder can hold in memory,
/// at least one scan, and nothing behind the end. One pass over the bytes.
struct JPEGPicture {
    /// The sides of the frame in pixels.
    let width: Int
    let height: Int

    /// Returns `nil` unless the bytes are a complete JPEG with Huffman coding, 8 bits a sample and at most 4 components.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var (offset, size, hasScan) = (2, PixelSize?.none, false)
        guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == 0xd8 else { return nil }
        while let marker = Self.marker(in: bytes, &offset) {
            if marker == 0xd9 {
                guard hasScan, let size, offset == bytes.count else { return nil }
                (width, height) = (Int(size.width), Int(size.height))
                return
            }
            guard let segment = Self.segment(in: bytes, &offset) else { return nil }
            switch marker {
            case 0xc0, 0xc1, 0xc2:
                guard size == nil, let found = Self.frame(segment) else { return nil }
                size = found
            // Other frames: lossless, hierarchical and arithmetic coding.
            case 0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf: return nil
            case 0xda:
                guard size != nil, let count = segment.first, (1...4).contains(count),
                    segment.count == 4 + 2 * Int(count)
                else { return nil }
                hasScan = true
                Self.skipScan(in: bytes, &offset)
            // Tables, restart intervals, and data of applications. Numbers of lines and hierarchies are not used by cameras.
            case 0xc4, 0xdb, 0xdd, 0xe0...0xef, 0xfe: break
            default: return nil
            }
        }
        return nil
    }

    /// Returns the next marker, which any number of fill bytes may precede.
    private static func marker(in bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8? {
        guard offset < bytes.count, bytes[offset] == 0xff else { return nil }
        while offset < bytes.count, bytes[offset] == 0xff { offset += 1 }
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Returns the payload of a segment behind its length.
    private static func segment(in bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Slice<UnsafeRawBufferPointer>?
    {
        guard offset + 2 <= bytes.count else { return nil }
        let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        guard length >= 2, length <= bytes.count - offset else { return nil }
        defer { offset += length }
        return bytes[offset + 2..<offset + length]
    }

    private static func frame(_ segment: Slice<UnsafeRawBufferPointer>) -> PixelSize? {
        let values = Array(segment)
        guard values.count >= 6, values[0] == 8, (1...4).contains(values[5]), values.count == 6 + 3 * Int(values[5])
        else {
            return nil
        }
        return PixelSize(Int(values[3]) << 8 | Int(values[4]), Int(values[1]) << 8 | Int(values[2]))
    }

    /// Moves behind the coded data, in which 0xff is followed by zero or is the marker of a restart.
    private static func skipScan(in bytes: UnsafeRawBufferPointer, _ offset: inout Int) {
        while offset + 1 < bytes.count {
            guard bytes[offset] == 0xff else {
                offset += 1
                continue
            }
            let next = bytes[offset + 1]
            guard next == 0 || (0xd0...0xd7).contains(next) else { return }
            offset += 2
        }
    }
}

extension ByteBuffer {
    /// Returns the longer side in pixels; `nil` unless the bytes are a complete JPEG of a permitted size.
    /// - Parameter edge: The longest side in pixels.
    func longerSideOfJPEG(ofAtMost limit: Int, edge: Int) -> Int? {
        guard (4...limit).contains(readableBytes), let picture = withUnsafeReadableBytes({ JPEGPicture($0) }) else {
            return nil
        }
        let side = max(picture.width, picture.height)
        return side <= edge ? side : nil
    }
}
