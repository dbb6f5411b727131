import NIOCore

/// PTM-256: a JPEG without metadata, upright, with a longer side of at most 256 pixels; smaller photos keep their size.
package struct Thumbnail: Sendable, Equatable {
    /// The longer side in pixels.
    package static let edge = 256
    /// The maximum size in bytes, above that of any real thumbnail.
    package static let sizeLimit = 256 << 10

    package let bytes: ByteBuffer

    /// Returns `nil` if the bytes are not a complete JPEG, or exceed a limit.
    package init?(jpeg bytes: ByteBuffer) {
        guard bytes.isJPEG(ofAtMost: Self.sizeLimit, edge: Self.edge) else { return nil }
        self.bytes = bytes
    }
}
