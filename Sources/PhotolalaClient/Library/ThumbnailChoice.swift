/// Of which photos a backup makes thumbnails: JPEG, at most 256 pixels a side, by which the library is looked through.
public enum ThumbnailChoice: Sendable {
    case none
    /// Of those that go to the store.
    case ofNewPhotos
    /// Of those that are stored without one, too. Lists all thumbnails first.
    case ofAllPhotos
}
