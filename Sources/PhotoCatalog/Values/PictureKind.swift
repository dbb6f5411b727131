import NIOCore
import ObjectStorage
import PhotolalaAPI

/// The pictures that a photo or video may have beside it.
package enum PictureKind: String, Sendable {
    case thumbnail
    case preview

    /// Returns the side of the square in pixels in which the picture of a photo fits.
    package func edge(of photo: MediaFacts) -> Int {
        switch self {
        case .thumbnail:
            guard let width = photo.width, let height = photo.height else { return Thumbnail.edge }
            return Thumbnail.edge(ofPicture: Int(width), Int(height))
        case .preview: return Preview.edge
        }
    }

    /// The maximum size in bytes.
    package var sizeLimit: Int {
        switch self {
        case .thumbnail: Thumbnail.sizeLimit
        case .preview: Preview.sizeLimit
        }
    }

    package func key(of photo: ContentDigest, _ user: UserID) -> ObjectKey {
        switch self {
        case .thumbnail: ObjectKey(known: StorageLayout.thumbnail(user, md5: photo.description))
        case .preview: ObjectKey(known: StorageLayout.preview(user, md5: photo.description))
        }
    }

    /// Returns whether stored bytes are a complete JPEG of at most the maximum size. Thumbnails that another app made may have
    /// more pixels, up to those of a preview.
    package func accepts(_ bytes: ByteBuffer) -> Bool { longerSide(of: bytes) != nil }

    /// Returns the longer side of stored bytes in pixels; `nil` if they are not accepted.
    package func longerSide(of bytes: ByteBuffer) -> Int? {
        bytes.longerSideOfJPEG(ofAtMost: sizeLimit, edge: Preview.edge)
    }
}
