import NIOCore

/// Makes the small picture of a photo by which a library is looked through.
package protocol ThumbnailMaker: Sendable {
    /// Whether it knows this kind of photo.
    func makes(_ type: MediaType) -> Bool

    /// A thumbnail of a file that it takes for hostile.
    func thumbnail(of place: String) async throws(ThumbnailError) -> Thumbnail
}

/// PTM-256: a JPEG without metadata, upright, its longer side at most 256 pixels; smaller photos keep their size.
package struct Thumbnail: Sendable, Equatable {
    /// Pixels of the longer side.
    package static let edge = 256
    /// Larger than any of this size, in bytes.
    package static let sizeLimit = 256 << 10

    package let bytes: ByteBuffer

    /// Gives `nil` for what is no whole JPEG, or larger than any thumbnail.
    package init?(jpeg bytes: ByteBuffer) {
        let view = bytes.readableBytesView
        guard (4...Self.sizeLimit).contains(view.count), view.starts(with: [0xff, 0xd8, 0xff]),
            view.suffix(2).elementsEqual([0xff, 0xd9])
        else { return nil }
        self.bytes = bytes
    }
}

/// Why there is no thumbnail of a photo. The photo itself is backed up all the same.
package enum ThumbnailError: Error, Equatable, Sendable {
    /// The tool found no picture in it, or needed more memory or time than it is given.
    case notMade
    /// It took longer than it may.
    case tooSlow
    /// The tool could not be started.
    case toolFailed(String)
    case cancelled
}
