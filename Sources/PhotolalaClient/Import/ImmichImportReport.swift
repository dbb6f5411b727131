import ForeignExports
import PhotoSync

/// The result of an import from an Immich server, or of its prediction. Photos are named as in Immich, and in
/// ``photos`` by their paths in the library.
public struct ImmichImportReport: Sendable, Codable, Equatable {
    /// What was uploaded, or would be; the files are photos, videos and captions. A prediction has no places in albums,
    /// which add no content.
    public let photos: BackupReport
    /// The version of the server.
    public let serverVersion: String
    /// The number of photos and videos of the account that are imported; a Live Photo is one.
    public let foundPhotos: Int
    /// Photos in each album, by its folder in the library.
    public let albums: [String: Int]
    /// The number of Live Photos and motion photos, whose picture and video stay together.
    public let livePhotos: Int
    /// The number of favorites.
    public let favorites: Int
    /// The number of archived photos. They are imported, and hidden in the library.
    public let archived: Int
    /// The number of photos in stacks. All photos of a stack are imported.
    public let stacked: Int
    /// The number of photos that were edited in Immich. The originals are imported.
    public let edited: Int
    /// The number of photos with a caption or rating, which is stored beside them as `NAME.xmp`.
    public let captions: Int
    /// The number of photos without a checksum, such as those of external libraries. They are imported unverified.
    public let unverified: Int
    /// The number of photos whose metadata Immich has not read yet.
    public let withoutMetadata: Int
    /// The number of photos in the trash of Immich.
    public let trashed: Int
    /// The number of photos of partners. They are not imported.
    public let fromPartners: Int
    /// Photos whose file the Immich server does not find. They are not imported.
    public let withoutOriginal: [String]
    /// Live Photos whose video is missing. The picture is imported.
    public let withoutLiveVideo: [String]
    /// Videos of Live Photos whose picture is missing. They are not imported.
    public let videosWithoutPicture: [String]
    /// Photos and albums whose names cannot be a path in the library. They are not imported.
    public let unusableNames: [String]
    /// Photos and albums that the server does not describe as Immich's documentation says. They are not imported.
    public let notUnderstood: [String]

    /// Whether all photos that were found are imported or, in a dry run, would be tried.
    /// A photo that is empty or damaged is not imported.
    public var isComplete: Bool {
        photos.isComplete && !photos.hasUnusablePhotos && withoutOriginal.isEmpty && unusableNames.isEmpty
            && notUnderstood.isEmpty
    }

    init(
        _ summary: ImmichImportSummary, isDryRun: Bool, lacksThumbnailTool: Bool, stopped: TransferStopReason?,
        storage: StorageUsage?
    ) {
        photos = BackupReport(
            named: "Immich", summary: summary.backup, isDryRun: isDryRun, lacksThumbnailTool: lacksThumbnailTool,
            stopped: stopped, storage: storage)
        serverVersion = summary.version
        let findings = summary.findings
        foundPhotos = findings.photos
        albums = findings.albums
        livePhotos = findings.livePhotos
        favorites = findings.favorites
        archived = findings.archived
        stacked = findings.stacked
        edited = findings.edited
        captions = findings.captions
        unverified = findings.unverified
        withoutMetadata = findings.withoutMetadata
        trashed = findings.trashed
        fromPartners = findings.fromPartners
        withoutOriginal = findings.withoutOriginal.sorted()
        withoutLiveVideo = findings.withoutLiveVideo.sorted()
        videosWithoutPicture = findings.videosWithoutPicture.sorted()
        unusableNames = findings.unusableNames.sorted()
        notUnderstood = findings.notUnderstood
    }
}
