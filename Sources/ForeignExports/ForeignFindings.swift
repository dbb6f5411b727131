/// What was found in an export, and what was not understood. Files are named by their paths in it.
package struct ForeignFindings: Sendable, Equatable {
    /// Files of the service that may be photos or videos, those left out included.
    package var mediaFiles = 0
    /// Descriptions of photos.
    package var descriptions = 0
    /// Files of other services, and those that systems add.
    package var otherFiles = 0
    /// Files of the service that describe no photo, such as albums.
    package var otherDescriptions = 0
    /// Files that another part has too.
    package var repeatedFiles = 0
    /// Photos and videos without a description.
    package var withoutDescription: [String] = []
    /// Photos and videos for which several descriptions are possible.
    package var ambiguous: [String] = []
    /// Descriptions whose photo is not in the given parts.
    package var withoutMedia: [String] = []
    /// Files with descriptions that cannot be read.
    package var unreadableDescriptions: [String] = []
    /// Descriptions with a date that cannot be read.
    package var unreadableDates: [String] = []
    /// Photos whose name cannot be a name in the library.
    package var unusableNames: [String] = []
    package var editedVersions = 0
    package var livePhotos = 0
    package var favorites = 0
    package var archived = 0
    package var locked = 0
    package var fromPartner = 0
    package var hidden = 0
    package var captions = 0
    /// Photos in the trash of the service.
    package var trashed = 0
    /// Files that got their whole name back.
    package var restoredNames = 0
    /// The number of photos in each album, by its folder in the library.
    package var albums: [String: Int] = [:]
    /// Memories, which are not imported.
    package var memories = 0
    /// Photos of shared albums.
    package var sharedAlbumPhotos = 0
    /// Files without content whose photo has another name.
    package var emptyFiles = 0
    /// Archives in archives, which are not opened.
    package var unopenedArchives: [String] = []
    /// Photos in albums for which several files are possible, or that are not in the given parts.
    package var unresolvedAlbumPhotos: [String] = []

    package init() {}

    /// Whether no photo has a description: the files may be of another service.
    package var isUnmatched: Bool { mediaFiles > 0 && withoutDescription.count == mediaFiles }
}
