import NIOCore

/// A JPEG without metadata, upright, with a longer side of at most 2,048 pixels: what is shown in a window instead of the
/// original. Smaller photos keep their size.
package struct Preview: Sendable, Equatable {
    /// The longer side in pixels.
    package static let edge = 2048
    /// The maximum size in bytes, above that of any real preview.
    package static let sizeLimit = 4 << 20

    package let bytes: ByteBuffer

    /// Returns `nil` if the bytes are not a complete JPEG, or exceed a limit.
    package init?(jpeg bytes: ByteBuffer) {
        guard bytes.longerSideOfJPEG(ofAtMost: Self.sizeLimit, edge: Self.edge) != nil else { return nil }
        self.bytes = bytes
    }

    /// A picture that browsers show is its own preview up to this many bytes, whatever its dimensions.
    private static let smallSize: Int64 = 256 << 10
    /// So is one whose sides are no longer than a preview's, up to this many bytes.
    private static let mediumSize: Int64 = 1 << 20

    /// Returns whether showing the original would be slow, or impossible in browsers. Animations have no preview.
    /// - Parameter size: The length of the original in bytes.
    package static func isUseful(for type: MediaType, size: Int64, _ facts: MediaFacts) -> Bool {
        guard type != .gif, !type.isSidecar else { return false }
        let shown: [MediaType] = [.jpeg, .png, .webp, .avif]
        guard shown.contains(type), size <= mediumSize else { return true }
        guard size > smallSize else { return false }
        guard let width = facts.width, let height = facts.height else { return true }
        return max(width, height) > edge
    }
}

/// The pictures that are made of a photo or video.
package struct Pictures: Sendable, Equatable {
    package let thumbnail: Thumbnail
    /// `nil` if none was requested, or it would exceed its maximum size.
    package let preview: Preview?
    /// The average color of the thumbnail; `nil` if it is not known.
    package let color: PictureColor?
    /// The duration of a video, if the tool states it. Of a file that was copied only in part it may be too short.
    package let duration: MediaDuration?

    package init(
        thumbnail: Thumbnail, preview: Preview? = nil, color: PictureColor? = nil, duration: MediaDuration? = nil
    ) {
        self.thumbnail = thumbnail
        self.preview = preview
        self.color = color
        self.duration = duration
    }
}
