import Foundation
import PhotoCatalog
import PhotoSync

/// The result of a sync or of its dry run.
public struct SyncReport: Sendable, Codable, Equatable {
    /// The synced folder.
    public let folder: String
    /// Whether this was a dry run, so that nothing was changed.
    public let isDryRun: Bool
    /// The number of photos, videos and sidecars in the folder when it was scanned.
    public let localFiles: Int
    /// The number of files in the library afterwards; `nil` if nothing had changed and the library was not counted.
    public let libraryFiles: Int?
    /// The number of folder files that were added to the library, including moved ones.
    public let addedFiles: Int
    /// The number of added files that were restored from the library's trash because they were put into the folder
    /// again.
    public let takenOutFiles: Int
    /// The number of added files that were moved or renamed in the folder, and therefore in the library.
    public let movedInLibrary: Int
    /// The number of files whose content was uploaded.
    public let uploadedFiles: Int
    /// The number of uploaded bytes.
    public let uploadedBytes: Int64
    /// The number of downloaded files.
    public let downloadedFiles: Int
    /// The number of downloaded bytes.
    public let downloadedBytes: Int64
    /// The number of folder files that were renamed or moved to match the library.
    public let movedFiles: Int
    /// Files that were removed from the folder and moved to the library's trash.
    public let trashedInLibrary: [String]
    /// Files that were moved to the folder's trash, `.photolala-trash`.
    public let trashedHere: [String]
    /// The number of files that are missing in the folder but were kept in the library, because there are too many.
    public let heldInLibrary: Int
    /// The number of files that are in the library's trash but were kept in the folder, because there are too many.
    public let heldHere: Int
    /// The number of files that are missing in the folder but were kept in the library, because a file or folder with
    /// an unusable name may be or contain them; `nil` if there are none.
    public let heldByNames: Int?
    /// Whether the folder at this location differs from the one that was synced before, for example because a disk is
    /// not mounted. In this case nothing was done.
    public let isAnotherFolder: Bool
    /// The number of the library's files at paths that the folder ignores. They were neither downloaded nor removed.
    public let ignoredFiles: Int
    /// The number of files of the library that were not downloaded because of ``SyncOptions/directions``. In a sync to the
    /// folder, files that are not in the library have their names.
    public let omittedDownloads: Int
    /// The number of files of the folder that were not added to the library because of ``SyncOptions/directions``.
    public let omittedUploads: Int
    /// The number of files that were removed on one side and kept on the other because of ``SyncOptions/directions``.
    public let omittedRemovals: Int
    /// The number of files that were changed too recently; the next sync includes them.
    public let waitingFiles: Int
    /// Photos that were kept under a different name because another photo has their name.
    public let keptBeside: [KeptBeside]
    /// Files that could not be synced.
    public let failures: [FileFailure]
    /// The number of failures whose photo is archived. A later sync downloads it after it has been requested with
    /// ``PhotolalaLibrary/recall(_:where:isDryRun:)``.
    public let archivedFiles: Int
    /// Files in the folder that are neither photos nor videos, with the reason.
    public let leftOut: [FileFailure]
    /// Names in one folder that differ only in case or Unicode normalization.
    public let sameNames: [[String]]
    /// The number of uploaded photos for which the tool did not create a thumbnail.
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
    /// Why the sync stopped early; `nil` if every file was tried.
    public let stopped: TransferStopReason?
    /// The number of files that were not uploaded because of the quota, with those that were not tried after it was
    /// exceeded.
    public let filesWithoutRoom: Int
    /// The account's storage usage, as far as this device knows; `nil` if nothing had to be sent.
    public let storage: StorageUsage?
    /// What would be done with each file; `nil` unless this was a dry run.
    public let planned: [PlannedFile]?

    /// Whether nothing failed and nothing was held back.
    public var isComplete: Bool { failures.isEmpty && stopped == nil && heldInLibrary == 0 && heldHere == 0 }

    /// Whether the sync changed anything on either side.
    public var didSomething: Bool {
        addedFiles + downloadedFiles + movedFiles + trashedInLibrary.count + trashedHere.count > 0
    }

    init(
        folder: URL, summary: SyncSummary, isDryRun: Bool, lacksThumbnailTool: Bool, stopped: TransferStopReason?,
        storage: StorageUsage?
    ) {
        let (toLibrary, toFolder) = (summary.toLibrary, summary.toFolder)
        planned = isDryRun ? summary.planned.map { PlannedFile($0) } : nil
        self.folder = folder.path
        self.isDryRun = isDryRun
        localFiles = summary.localFiles
        libraryFiles = summary.libraryEntries
        addedFiles = summary.addedEntries
        takenOutFiles = summary.restoredEntries
        movedInLibrary = summary.renamedEntries
        uploadedFiles = toLibrary.progress.uploadedFiles
        uploadedBytes = toLibrary.progress.uploadedBytes
        downloadedFiles = toFolder.progress.restoredFiles
        downloadedBytes = toFolder.progress.restoredBytes
        movedFiles = summary.movedFiles
        trashedInLibrary = summary.trashedEntries.map(\.description)
        trashedHere = summary.trashedFiles.map(\.description)
        heldInLibrary = summary.withheldEntries
        heldHere = summary.withheldFiles
        heldByNames = summary.withheldByNames > 0 ? summary.withheldByNames : nil
        isAnotherFolder = summary.isAnotherFolder
        ignoredFiles = summary.ignoredEntries
        omittedDownloads = summary.omissions.downloads
        omittedUploads = summary.omissions.uploads
        omittedRemovals = summary.omissions.removals
        waitingFiles = summary.waitingFiles
        keptBeside =
            (toLibrary.conflicts.map {
                KeptBeside(path: $0.path.description, alternativePath: $0.alternativePath.description)
            }
            + toFolder.restoredBeside.map { KeptBeside(path: $0.path.description, alternativePath: $0.name) })
            .sorted { ($0.path, $0.alternativePath) < ($1.path, $1.alternativePath) }
        failures = Self.failures(summary)
        archivedFiles = toFolder.failures.count { $0.failure.isArchived }
        filesWithoutRoom = toLibrary.filesOverQuota
        leftOut = toLibrary.leftOut.map { FileFailure($0.path, $0.reason) }
        sameNames = toLibrary.clashes.map { $0.paths.map(\.description) }
        photosWithoutThumbnail = toLibrary.thumbnails.notMade.count
        filesWithoutThumbnail = toLibrary.thumbnails.notMadePaths
        self.lacksThumbnailTool = lacksThumbnailTool
        photosWithoutTool = toLibrary.thumbnails.reported(lacksTool: lacksThumbnailTool)
        videosWithoutTool = toLibrary.thumbnails.lackingProgram
        toolFailure = toLibrary.thumbnails.toolFailure.map { ThumbnailToolFailure($0) }
        self.stopped = stopped
        self.storage = storage
    }

    private static func failures(_ summary: SyncSummary) -> [FileFailure] {
        let (toLibrary, toFolder) = (summary.toLibrary, summary.toFolder)
        return toLibrary.failures.map { FileFailure($0.path, $0.failure) }
            + toLibrary.problems.map { FileFailure($0.path, $0.reason.failure) }
            + toFolder.failures.map { FileFailure($0.path, $0.failure) }
            + summary.failures.map { FileFailure($0.path, $0.failure) }
            + summary.blocked.map {
                FileFailure(
                    $0.path.description,
                    FailureReason(
                        .keptInLibrary, "\($0.reason.message); photo kept in the library",
                        ["cause": $0.reason.failure.code.rawValue]))
            }
    }
}

/// The progress of a sync, in its current direction.
public struct SyncProgress: Sendable, Equatable {
    /// The direction of a transfer.
    public enum Direction: Sendable, Equatable {
        /// Files of the folder are scanned and uploaded.
        case toLibrary
        /// Photos of the library are downloaded.
        case toFolder
    }

    /// The current direction.
    public let direction: Direction
    /// The progress in this direction.
    public let transfer: TransferProgress

    func isSuperseded(by other: SyncProgress) -> Bool {
        direction == other.direction && transfer.isSuperseded(by: other.transfer)
    }
}

/// Additional actions of a sync that are off by default.
public struct SyncOptions: Sendable, Equatable {
    /// Moves all files that are missing in the folder to the library's trash, no matter how many.
    public var trashesAllMissing = false
    /// Moves all files that are in the library's trash to the folder's trash, no matter how many.
    public var followsAllTrash = false
    /// Only determines what would be done.
    public var isDryRun = false
    /// The sides that may be changed.
    public var directions = Directions.both
    /// The files to leave alone, in the folder and in the library.
    public var patterns = FolderPatterns()

    /// The directions in which a sync passes changes on.
    public enum Directions: Sendable, Equatable {
        case both
        /// Nothing in the folder is changed.
        case toLibrary
        /// Nothing in the library is changed. Files that were removed from the folder are not downloaded again.
        case toFolder

        var synced: SyncDirections {
            switch self {
            case .both: .both
            case .toLibrary: .toLibrary
            case .toFolder: .toFolder
            }
        }
    }

    /// Creates the default options.
    public init() {}
}
