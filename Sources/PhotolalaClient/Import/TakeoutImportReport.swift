import ForeignExports
import PhotoSync

/// The result of an import of a Google Takeout, or of its prediction. Files are named by their paths in the export, and
/// in ``photos`` by those in the library.
public struct TakeoutImportReport: Sendable, Codable, Equatable {
    /// What was uploaded, or would be; the files are photos, videos and Google's descriptions of them.
    public let photos: BackupReport
    /// The number of files of Google Photos that are not JSON, in the trash or not.
    public let foundFiles: Int
    /// The number of descriptions of photos.
    public let foundDescriptions: Int
    /// Photos in each album, by its folder in the library.
    public let albums: [String: Int]
    /// The number of photos and videos that are edited versions of others. Both are imported.
    public let editedVersions: Int
    /// The number of Live Photos and motion photos whose picture and video stay together.
    public let livePhotos: Int
    /// The number of favorites.
    public let favorites: Int
    /// The number of photos that Google Photos has archived. They are imported like others.
    public let archived: Int
    /// The number of photos of the locked folder. They are imported like others.
    public let locked: Int
    /// The number of photos that a partner shared.
    public let fromPartner: Int
    /// The number of captions, which are in the stored descriptions.
    public let captions: Int
    /// The number of photos in the trash of Google Photos.
    public let trashed: Int
    /// The number of truncated file names that were restored.
    public let restoredNames: Int
    /// The number of files that several parts have.
    public let repeatedFiles: Int
    /// The number of files of other services. They are not imported.
    public let otherFiles: Int
    /// The number of JSON files of Google Photos that describe no photo. They are not imported.
    public let otherDescriptions: Int
    /// Photos without a description. They are imported with the date in the file.
    public let withoutDescription: [String]
    /// Photos for which several descriptions are possible. They are imported with the date in the file.
    public let ambiguous: [String]
    /// Descriptions whose photo is in no given part.
    public let withoutMedia: [String]
    /// JSON files that cannot be read.
    public let unreadableDescriptions: [String]
    /// Descriptions with a date that cannot be read.
    public let unreadableDates: [String]
    /// Files that cannot be imported, with the reason, such as encrypted ones.
    public let unreadable: [FileFailure]
    /// Parts that are missing among the given ones, by their numbers.
    public let missingParts: [String]

    /// Whether all photos that were found are imported or, in a dry run, would be tried.
    public var isComplete: Bool { photos.isComplete && unreadable.isEmpty }

    init(
        _ summary: TakeoutImportSummary, isDryRun: Bool, lacksThumbnailTool: Bool, stopped: TransferStopReason?,
        storage: StorageUsage?
    ) {
        photos = BackupReport(
            named: "Google Takeout", summary: summary.backup, isDryRun: isDryRun,
            lacksThumbnailTool: lacksThumbnailTool, stopped: stopped, storage: storage)
        let findings = summary.findings
        foundFiles = findings.mediaFiles
        foundDescriptions = findings.descriptions
        albums = findings.albums
        editedVersions = findings.editedVersions
        livePhotos = findings.livePhotos
        favorites = findings.favorites
        archived = findings.archived
        locked = findings.locked
        fromPartner = findings.fromPartner
        captions = findings.captions
        trashed = findings.trashed
        restoredNames = findings.restoredNames
        repeatedFiles = findings.repeatedFiles
        otherFiles = findings.otherFiles
        otherDescriptions = findings.otherDescriptions
        withoutDescription = findings.withoutDescription.sorted()
        ambiguous = findings.ambiguous.sorted()
        withoutMedia = findings.withoutMedia.sorted()
        unreadableDescriptions = findings.unreadableDescriptions.sorted()
        unreadableDates = findings.unreadableDates.sorted()
        unreadable =
            summary.refused.map { FileFailure($0.path, $0.refusal.failure) }
            + findings.unusableNames.map {
                FileFailure($0, FailureReason(.reservedName, "not a possible path in the library"))
            }
        missingParts = summary.missingParts
    }
}

extension ZipMember.Refusal: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .encrypted: FailureReason(.encryptedInArchive, "encrypted")
        case .unknownCompression: FailureReason(.unknownCompression, "compressed by an unknown method")
        case .suspiciousSize: FailureReason(.suspiciousSize, "size is not possible for a photo or video")
        }
    }
}
