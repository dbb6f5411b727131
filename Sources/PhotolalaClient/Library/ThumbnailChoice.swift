/// The photos for which a backup creates thumbnails: JPEG, 512 pixels on the longer side, for browsing the library. Previews
/// are created together with them, by ``PhotolalaLibrary/previews``.
public enum ThumbnailChoice: Sendable {
    case none
    /// For photos that are uploaded, and for files that are read and found stored without a thumbnail.
    case ofNewPhotos
    /// Also for unchanged files whose photos have no thumbnail, or without a preview that they should have. Lists all of them first.
    case ofAllPhotos
}

/// The previews of a ``PhotolalaLibrary``: JPEG, at most 2,048 pixels per side, for showing a photo in a window. They are
/// created of photos that are large or that browsers do not show, and of the first frame of videos.
public enum PreviewChoice: Sendable, Equatable {
    case none
    /// - Parameter quality: The JPEG quality, 1 to 100; other values become the nearest of these.
    case jpeg(quality: Int = 80)

    var quality: Int? {
        switch self {
        case .none: nil
        case .jpeg(let quality): min(max(quality, 1), 100)
        }
    }
}
