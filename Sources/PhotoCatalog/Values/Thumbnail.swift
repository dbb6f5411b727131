import NIOCore

/// PTM-256: a JPEG without metadata, upright, with a longer side of at most 256 pixels; smaller photos keep their size.
package struct Thumbnail: Sendable, Equatable {
    /// The longer side in pixels.
    package static let edge = 256
    /// The maximum size in bytes, above that of any real thumbnail.
    package static let sizeLimit = 256 << 10

    package let bytes: ByteBuffer

    /// Returns `nil` if the bytes are not a complete JPEG, or exceed the maximum size.
    package init?(jpeg bytes: ByteBuffer) {
        guard bytes.isJPEG(ofAtMost: Self.sizeLimit) else { return nil }
        self.bytes = bytes
    }
}

extension ByteBuffer {
    /// Returns whether the bytes begin and end like a JPEG.
    func isJPEG(ofAtMost limit: Int) -> Bool {
        let view = readableBytesView
        return (4...limit).contains(view.count) && view.starts(with: [0xff, 0xd8, 0xff])
            && view.suffix(2).elementsEqual([0xff, 0xd9])
    }
}
