import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What a backup did.
public struct BackupReport: Sendable, Codable, Equatable {
    /// The folder.
    public let folder: String
    /// Photos and videos that were found, with their sidecars.
    public let foundFiles: Int
    /// Those whose content went to the store, and their bytes.
    public let uploadedFiles: Int
    /// Bytes that went to the store.
    public let uploadedBytes: Int64
    /// Those whose content the store had already.
    public let alreadyStoredFiles: Int
    /// Files that are safe and were to be read back, but are archived; one for each content.
    public let archivedFiles: Int
    /// Files and folders that were not backed up.
    public let failures: [FileFailure]
    /// Photos that stand beside another device's photo of the same name.
    public let keptBeside: [KeptBeside]
    /// Files that are neither photo nor video, links and devices, with the reason; not backed up.
    public let leftOut: [FileFailure]
    /// Photos whose thumbnail went to the store.
    public let thumbnails: Int
    /// Photos of which the tool made no thumbnail.
    public let photosWithoutThumbnail: Int
    /// Whether none were made because there is no tool for it on this device.
    public let lacksThumbnailTool: Bool
    /// Names in one folder that differ only in case or in how a letter is composed; each list is one name elsewhere.
    /// All of them are backed up.
    public let sameNames: [[String]]
    /// Files in the library afterwards; `nil` where a large library was not read to count them.
    public let libraryFiles: Int?
    /// Why it stopped before the end; `nil` when every file was tried.
    public let stopped: TransferStopReason?
    /// Files of `failures` for which the account has no room.
    public let filesWithoutRoom: Int
    /// How much the account stores now, as far as this device knows; `nil` where nothing was to be sent.
    public let storage: StorageStanding?

    /// Whether everything that was found is safe.
    public var isComplete: Bool { failures.isEmpty && stopped == nil }

    init(
        folder: URL, summary: BackupSummary, lacksThumbnailTool: Bool, stopped: TransferStopReason?,
        storage: StorageStanding?
    ) {
        self.folder = folder.path
        foundFiles = summary.progress.totalFiles
        uploadedFiles = summary.progress.uploadedFiles
        uploadedBytes = summary.progress.uploadedBytes
        alreadyStoredFiles = summary.progress.alreadyStoredFiles
        archivedFiles = summary.archived.count
        failures =
            summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
            + summary.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
        filesWithoutRoom = summary.failures.count { $0.failure == .store(.quotaExceeded) }
        keptBeside = summary.conflicts.map {
            KeptBeside(path: $0.path.description, beside: $0.keptBeside.description)
        }
        leftOut = summary.leftOut.map { FileFailure(path: $0.path.description, reason: $0.reason.words) }
        thumbnails = summary.thumbnails.stored
        photosWithoutThumbnail = summary.thumbnails.notMade
        self.lacksThumbnailTool = lacksThumbnailTool
        sameNames = summary.clashes.map { $0.paths.map(\.description) }
        libraryFiles = summary.catalogEntries
        self.stopped = stopped
        self.storage = storage
    }
}

/// A file that was not brought over.
public struct FileFailure: Sendable, Codable, Equatable {
    /// Its path in the folder or the library.
    public let path: String
    /// Why, for a person.
    public let reason: String
}

/// A file that kept its place beside another of the same name.
public struct KeptBeside: Sendable, Codable, Equatable {
    /// The path that both wanted.
    public let path: String
    /// Where the other one is now.
    public let beside: String
}

/// Why a transfer stopped before its end. What was done stays done.
public struct TransferStopReason: Sendable, Codable, Equatable {
    /// The error's stable name.
    public let code: ErrorCode
    /// What went wrong and what to do, for a person.
    public let detail: String
}
