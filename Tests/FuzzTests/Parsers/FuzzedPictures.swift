import NIOCore
import PhotolalaTesting

@testable import PhotoCatalog
@testable import photolala_thumbnailer

extension FuzzedParser {
    /// Pictures that tools and other apps made, and the JPEGs in RAW files.
    static func pictures() -> [FuzzedParser] {
        let pictures = [PhotoBytes.picture(1), PhotoBytes.picture(2, width: 2048, height: 256, scans: 3, length: 400)]
        return [
            FuzzedParser("picture", pictures, tokens: .photo) { bytes in
                guard let preview = Preview(jpeg: ByteBuffer(bytes: bytes)) else { return false }
                let size = JPEGStructure.dimensions(in: ByteWindow(preview.bytes))
                try PropertyViolation.unless(
                    size.map { max($0.width, $0.height) <= Preview.edge } ?? false, "a preview has a permitted size")
                try PropertyViolation.unless(
                    Preview(jpeg: ByteBuffer(bytes: bytes.dropLast())) == nil, "a preview is complete")
                return true
            },
            FuzzedParser("JPEG in a RAW file", rawFiles, tokens: .photo) { bytes in
                try bytes.withUnsafeBytes { file in
                    guard let found = EmbeddedJPEG.largest(in: file) else { return false }
                    let (start, end) = (found.bytes.baseAddress, found.bytes.baseAddress.map { $0 + found.bytes.count })
                    guard let start, let end, let first = file.baseAddress else { return false }
                    try PropertyViolation.unless(
                        start > first && end <= first + file.count, "the JPEG is in the file")
                    try PropertyViolation.unless(
                        found.bytes.starts(with: [0xff, 0xd8]), "the JPEG has its first marker")
                    try PropertyViolation.unless((1...8).contains(found.orientation), "the orientation is possible")
                    return true
                }
            },
        ]
    }

    /// Two TIFF structures with a thumbnail and a larger JPEG in a further folder, Panasonic's and Fujifilm's format.
    private static var rawFiles: [[UInt8]] {
        let (small, large) = (PhotoBytes.picture(1), PhotoBytes.picture(2, width: 640, height: 480))
        let raf =
            Array("FUJIFILMCCD-RAW 0201FF383501".utf8) + [UInt8](repeating: 0, count: 56) + PhotoBytes.big32(100)
            + PhotoBytes.big32(large.count) + [UInt8](repeating: 0, count: 8) + large
        let cr3 = PhotoBytes.big32(24) + Array("ftypcrx 0000CMT1II".utf8) + [42, 0, 8, 0, 0, 0, 0, 0] + small + large
        let x3f = Array("FOVb".utf8) + [UInt8](repeating: 0, count: 36) + small + large
        return [tiff(small, large, isBigEndian: true), tiff(small, large, isBigEndian: false), panasonic(large), raf, cr3, x3f]
    }

    private static func tiff(_ small: [UInt8], _ large: [UInt8], isBigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ length: Int) -> [UInt8] {
            let bytes = length == 2 ? PhotoBytes.big16(value) : PhotoBytes.big32(value)
            return isBigEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
        }
        let (first, second) = (8 + 2 + 4 * 12 + 4, 8 + 2 + 4 * 12 + 4 + 2 + 3 * 12 + 4)
        let root =
            number(4, 2) + entry(0x0112, 6) + entry(0x0201, second) + entry(0x0202, small.count) + entry(0x014a, first)
            + number(0, 4)
        let inner =
            number(3, 2) + entry(0x0103, 7) + entry(0x0111, second + small.count) + entry(0x0117, large.count)
            + number(0, 4)
        return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + root + inner + small + large
    }

    private static func panasonic(_ large: [UInt8]) -> [UInt8] {
        let offset: [UInt8] = PhotoBytes.big32(8 + 2 + 12 + 4).reversed()
        let entry: [UInt8] = [0x2e, 0, 7, 0] + PhotoBytes.big32(large.count).reversed() + offset
        return Array("IIU\0".utf8) + [8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0] + large
    }
}
