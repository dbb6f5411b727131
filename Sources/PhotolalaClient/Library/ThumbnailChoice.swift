/// The photos for which a backup creates thumbnails: JPEG, at most 256 pixels per side, for browsing the library.
public enum ThumbnailChoice: Sendable {
    case none
    /// For photos that are uploaded.
    case ofNewPhotos
    /// Also for stored photos without a thumbnail. Lists all thumbnails first.
    case ofAllPhotos
}
