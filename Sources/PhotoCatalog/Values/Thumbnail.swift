import NIOCore

/// A JPEG without metadata, upright, of 512 pixels on the longer side. If the shorter side would have fewer than 256 pixels,
/// it has 256, as long as the longer side has at most 1,024. Smaller photos keep their size. Thumbnails of earlier versions
/// have at most 256 pixels.
package struct Thumbnail: Sendable, Equatable {
    /// The longer side in pixels, unless the photo is more than twice as long as wide.
    package static let edge = 512
    /// The shorter side in pixels of longer photos.
    package static let shorterEdge = 256
    /// The largest longer side in pixels.
    package static let longestEdge = 1024
    /// The largest side in pixels of thumbnails of earlier versions.
    package static let legacyEdge = 256
    /// The maximum size in bytes. Noise of these dimensions has up to 216 KiB with a JPEG quality of 80.
    package static let sizeLimit = 256 << 10

    package let bytes: ByteBuffer

    /// Returns `nil` if the bytes are not a complete JPEG, or exceed a limit.
    package init?(jpeg bytes: ByteBuffer) {
        guard bytes.longerSideOfJPEG(ofAtMost: Self.sizeLimit, edge: Self.longestEdge) != nil else { return nil }
        self.bytes = bytes
    }

    /// Returns the side of the square in which the thumbnail of a picture fits, by the picture's proportion.
    package static func edge(ofPicture width: Int, _ height: Int) -> Int {
        let (longer, shorter) = (max(width, height), max(1, min(width, height)))
        let (length, overflows) = longer.multipliedReportingOverflow(by: shorterEdge)
        guard !overflows else { return longestEdge }
        return max(edge, min(longestEdge, Int((Double(length) / Double(shorter)).rounded())))
    }
}
