import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

/// The result of a backup.
public struct BackupReport: Sendable, Codable, Equatable {
    /// The backed-up folder, or the ID of the backed-up ``PhotoSource``.
    public let folder: String
    /// The folder of the library to which the photos belong; `nil` for its root.
    public let destination: String?
    /// The number of photos, videos and sidecars that were found.
    public let foundFiles: Int
    /// The number of files whose content was uploaded.
    public let uploadedFiles: Int
    /// The number of uploaded bytes.
    public let uploadedBytes: Int64
    /// The number of files whose content was already stored.
    public let alreadyStoredFiles: Int
    /// The number of them whose path was not in the library, and was added. 0 if a large library was not read.
    public let addedFiles: Int
    /// The number of contents that should have been read back but are archived. Their files are backed up.
    public let archivedFiles: Int
    /// Files and folders that were not backed up.
    public let failures: [FileFailure]
    /// Photos that were stored under a different name because another device's photo has the same name.
    public let keptBeside: [KeptBeside]
    /// Files that were not backed up because they are neither photos nor videos, links or devices, with the reason.
    public let leftOut: [FileFailure]
    /// Paths of files whose content counts as stored but is only in the library's trash, at this path, from which it can be
    /// permanently deleted; a backup restores nothing. `nil` if a large library was not read.
    public let filesInTrash: [String]?
    /// The number of photos whose thumbnail was uploaded.
    public let thumbnails: Int
    /// The number of photos whose preview was uploaded.
    public let previews: Int
    /// The number of photos for which the tool did not create a thumbnail.
    public let photosWithoutThumbnail: Int
    /// The paths of these photos; `nil` if there are none.
    public let filesWithoutThumbnail: [String]?
    /// Whether no thumbnails were created because this device lacks the tool.
    public let lacksThumbnailTool: Bool
    /// The number of photos that were uploaded, or found stored without a thumbnail, and got none because this device lacks the
    /// tool. `nil` if there are none.
    public let photosWithoutTool: Int?
    /// The number of videos without a thumbnail because this device lacks ffmpeg.
    public let videosWithoutTool: Int
    /// How the tool failed with a correct file, after it created no thumbnail of some; `nil` if it did not.
    public let toolFailure: ThumbnailToolFailure?
    /// Names in one folder that differ only in case or Unicode normalization; each list is a single name on other
    /// systems. All of these files are backed up.
    public let sameNames: [[String]]
    /// The number of files in the library afterwards; `nil` if a large library was not read to count them.
    public let libraryFiles: Int?
    /// Why the backup stopped early; `nil` if every file was tried.
    public let stopped: TransferStopReason?
    /// The number of files that were not uploaded because of the quota, with those that were not tried after it was
    /// exceeded.
    public let filesWithoutRoom: Int
    /// The account's storage usage, as far as this device knows; `nil` if nothing had to be sent.
    public let storage: StorageUsage?
    /// What would be done with each file that is not stored at its path, by path; `nil` unless this was a dry run, in
    /// which nothing was changed and the numbers are those of this plan.
    public let planned: [PlannedFile]?

    /// Whether everything that was found is backed up or, in a dry run, would be tried.
    public var isComplete: Bool { failures.isEmpty && stopped == nil }

    init(
        of place: BackupPlace, summary: BackupSummary, isDryRun: Bool = false, lacksThumbnailTool: Bool,
        stopped: TransferStopReason?, storage: StorageUsage?
    ) {
        self.init(
            named: place.name, destination: place.destination?.description, summary: summary, isDryRun: isDryRun,
            lacksThumbnailTool: lacksThumbnailTool, stopped: stopped, storage: storage)
    }

    /// - Parameter name: What was backed up.
    init(
        named name: String, destination: String? = nil, summary: BackupSummary, isDryRun: Bool,
        lacksThumbnailTool: Bool, stopped: TransferStopReason?, storage: StorageUsage?
    ) {
        planned = isDryRun ? summary.planned.map { PlannedFile($0) } : nil
        folder = name
        self.destination = destination
        foundFiles = summary.progress.totalFiles
        uploadedFiles = summary.progress.uploadedFiles
        uploadedBytes = summary.progress.uploadedBytes
        alreadyStoredFiles = summary.progress.alreadyStoredFiles
        addedFiles = summary.addedFiles
        archivedFiles = summary.archived.count
        failures =
            summary.failures.map { FileFailure($0.path, $0.failure) }
            + summary.problems.map { FileFailure($0.path, $0.reason.failure) }
        filesWithoutRoom = summary.filesOverQuota
        keptBeside = summary.conflicts.map {
            KeptBeside(path: $0.path.description, alternativePath: $0.alternativePath.description)
        }.sorted { ($0.path, $0.alternativePath) < ($1.path, $1.alternativePath) }
        leftOut = summary.leftOut.map { FileFailure($0.path, $0.reason) }
        filesInTrash = summary.filesInTrash?.map(\.description)
        thumbnails = summary.thumbnails.stored
        previews = summary.thumbnails.previews
        photosWithoutThumbnail = summary.thumbnails.notMade.count
        filesWithoutThumbnail = summary.thumbnails.notMadePaths
        self.lacksThumbnailTool = lacksThumbnailTool
        photosWithoutTool = summary.thumbnails.reported(lacksTool: lacksThumbnailTool)
        videosWithoutTool = summary.thumbnails.lackingProgram
        toolFailure = summary.thumbnails.toolFailure.map { ThumbnailToolFailure($0) }
        sameNames = summary.clashes.map { $0.paths.map(\.description) }
        libraryFiles = summary.catalogEntries
        self.stopped = stopped
        self.storage = storage
    }
}

extension ThumbnailCount {
    /// The paths of photos that the tool could not make a thumbnail of; `nil` if there are none.
    var notMadePaths: [String]? { notMade.isEmpty ? nil : notMade.map(\.description).sorted() }

    /// The number of photos without a thumbnail for want of the tool; `nil` if there are none, or the tool is installed.
    func reported(lacksTool: Bool) -> Int? { lacksTool && lackingTool > 0 ? lackingTool : nil }
}

/// What a dry run found would be done with a file.
public struct PlannedFile: Sendable, Codable, Equatable {
    /// What would be done.
    public enum Action: String, Sendable, Codable {
        /// The content would be uploaded.
        case upload
        /// The content is stored; the path would be added to the library.
        case add
        /// The photo would be downloaded into the folder.
        case download
        /// The file would be moved in the folder to this path.
        case move
        /// The photo would be moved in the library to this path, which its file has in the folder.
        case moveInLibrary
        /// The photo would be moved to the library's trash.
        case trashInLibrary
        /// The file would be moved to the folder's trash.
        case trashHere
    }

    /// The path in the library.
    public let path: String
    /// What would be done.
    public let action: Action
    /// The number of bytes; `nil` if it is unknown, and for what is moved to a trash.
    public let size: Int64?

    init(_ change: PlannedChange) {
        path = change.path.description
        size = change.size
        action =
            switch change.action {
            case .upload: .upload
            case .add: .add
            case .download: .download
            case .move: .move
            case .moveInLibrary: .moveInLibrary
            case .trashInLibrary: .trashInLibrary
            case .trashHere: .trashHere
            }
    }
}

/// A file that failed or was left out, with the reason.
///
/// The code selects a text in the app's own words and language; `reason` is in English.
public struct FileFailure: Sendable, Codable, Equatable {
    /// The path in the folder or the library.
    public let path: String
    /// The reason's stable name.
    public let code: FailureCode
    /// The reason, for a person, in English.
    public let reason: String
    /// Values for a text, by the names that the documentation of the code states; `nil` if there are none.
    public let parameters: [String: String]?

    init(_ path: String, _ reason: FailureReason) {
        (self.path, code, self.reason) = (path, reason.code, reason.text)
        parameters = reason.parameters.isEmpty ? nil : reason.parameters
    }

    init(_ path: LibraryPath, _ failure: some DescribedFailure) { self.init(path.description, failure.failure) }

    /// Decodes a failure. One without a code, which earlier versions stored, has the code `other`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        path = try container.decode(String.self, forKey: .path)
        code = try container.decodeIfPresent(FailureCode.self, forKey: .code) ?? .other
        reason = try container.decode(String.self, forKey: .reason)
        parameters = try container.decodeIfPresent([String: String].self, forKey: .parameters)
    }
}

/// A file that was kept under a different name because another file has its name.
public struct KeptBeside: Sendable, Codable, Equatable {
    /// The path of both files.
    public let path: String
    /// The current path of the other file.
    public let alternativePath: String

    enum CodingKeys: String, CodingKey {
        case path
        case alternativePath = "beside"
    }
}

/// Why a transfer stopped early. Completed work is kept.
public struct TransferStopReason: Sendable, Codable, Equatable {
    /// The error's stable name.
    public let code: ErrorCode
    /// A description of the error and the next step, for a person.
    public let detail: String
    /// What made the transfer stop, if the code leaves that open; `nil` otherwise.
    public let cause: FailureCause?

    init(_ error: PhotolalaError) { (code, detail, cause) = (error.code, error.detail, error.cause) }
}
