import ForeignExports
import PhotoSync

/// The result of an import from another photo service, or of its prediction. Files are named by their paths in the
/// export, and in ``photos`` by those in the library. As JSON, the members of ``contents`` and ``facts`` are beside
/// `photos`.
public struct ServiceImportReport<Facts: Sendable & Codable & Equatable>: Sendable, Codable, Equatable {
    /// What was uploaded, or would be; the files are photos, videos and the service's descriptions of them.
    public let photos: BackupReport
    /// What was found in the export, and what was not understood.
    public let contents: ExportContents
    /// What only this service's exports have.
    public let facts: Facts

    /// Whether all photos that were found are imported or, in a dry run, would be tried.
    /// A photo that is empty or damaged is not imported.
    public var isComplete: Bool {
        photos.isComplete && contents.unreadable.isEmpty && !photos.hasUnusablePhotos
    }

    private enum CodingKeys: CodingKey { case photos }

    init(photos: BackupReport, contents: ExportContents, facts: Facts) {
        (self.photos, self.contents, self.facts) = (photos, contents, facts)
    }

    /// Creates a report from its encoded form.
    public init(from decoder: any Decoder) throws {
        photos = try decoder.container(keyedBy: CodingKeys.self).decode(BackupReport.self, forKey: .photos)
        contents = try ExportContents(from: decoder)
        facts = try Facts(from: decoder)
    }

    /// Encodes the report.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(photos, forKey: .photos)
        try contents.encode(to: encoder)
        try facts.encode(to: encoder)
    }
}

extension BackupReport {
    /// Whether a file that has the name of a photo or video is empty or has an unknown format.
    var hasUnusablePhotos: Bool { leftOut.contains { [.emptyFile, .unknownFormat].contains($0.code) } }
}

/// What was found in the export of a photo service, and what was not understood.
public struct ExportContents: Sendable, Codable, Equatable {
    /// The number of files of the service that may be photos or videos, in the trash or not.
    public let foundFiles: Int
    /// The number of descriptions of photos.
    public let foundDescriptions: Int
    /// Photos in each album, by its folder in the library.
    public let albums: [String: Int]
    /// The number of Live Photos and motion photos whose picture and video stay together.
    public let livePhotos: Int
    /// The number of favorites.
    public let favorites: Int
    /// The number of photos in the trash of the service.
    public let trashed: Int
    /// The number of files that several parts have.
    public let repeatedFiles: Int
    /// The number of files of other services. They are not imported.
    public let otherFiles: Int
    /// The number of files of the service that describe no photo. They are not imported.
    public let otherDescriptions: Int
    /// Photos without a description. If they are imported, then with the date in the file.
    public let withoutDescription: [String]
    /// Photos for which several descriptions are possible. If they are imported, then with the date in the file.
    public let ambiguous: [String]
    /// Descriptions whose photo is in no given part.
    public let withoutMedia: [String]
    /// Files with descriptions that cannot be read.
    public let unreadableDescriptions: [String]
    /// Descriptions with a date that cannot be read.
    public let unreadableDates: [String]
    /// Files that cannot be imported, with the reason, such as encrypted ones.
    public let unreadable: [FileFailure]
    /// Parts that are missing among the given ones, by their numbers.
    public let missingParts: [String]

    init(_ summary: ForeignImportSummary) {
        let findings = summary.findings
        foundFiles = findings.mediaFiles
        foundDescriptions = findings.descriptions
        albums = findings.albums
        livePhotos = findings.livePhotos
        favorites = findings.favorites
        trashed = findings.trashed
        repeatedFiles = findings.repeatedFiles
        otherFiles = findings.otherFiles
        otherDescriptions = findings.otherDescriptions
        withoutDescription = findings.withoutDescription.sorted()
        ambiguous = findings.ambiguous.sorted()
        withoutMedia = findings.withoutMedia.sorted()
        unreadableDescriptions = findings.unreadableDescriptions.sorted()
        unreadableDates = findings.unreadableDates.sorted()
        unreadable =
            summary.unreadable.map { FileFailure($0.path, $0.reason.failure) }
            + findings.unusableNames.map {
                FileFailure($0, FailureReason(.reservedName, "not a possible path in the library"))
            }
        missingParts = summary.missingParts
    }
}

extension UnreadableFile: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .file(let error): error.failure
        case .archive(.multipart): FailureReason(.archiveUnreadable, "a piece of a split archive; join the pieces")
        case .archive(.tooManyFiles): FailureReason(.archiveUnreadable, "has too many files")
        case .archive: FailureReason(.archiveUnreadable, "damaged or incomplete archive; download it again")
        case .compressedTar: FailureReason(.archiveUnreadable, "not a ZIP archive; unpack it")
        case .nameNotUTF8: FailureReason(.reservedName, "file name is not UTF-8; rename it")
        case .symbolicLink: FailureReason(.symbolicLink, "symbolic links are not followed")
        case .nestedTooDeeply: FailureReason(.nestedTooDeeply, "in more than 16 nested folders")
        case .member(.encrypted): FailureReason(.encryptedInArchive, "encrypted")
        case .member(.unknownCompression): FailureReason(.unknownCompression, "compressed by an unknown method")
        case .member(.suspiciousSize): FailureReason(.suspiciousSize, "size is not possible for a photo or video")
        }
    }
}
