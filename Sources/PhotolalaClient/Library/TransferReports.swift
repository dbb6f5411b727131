import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What a backup did.
public struct BackupReport: Sendable, Codable, Equatable {
    /// The folder.
    public let folder: String
    /// Photos and videos that were found.
    public let foundFiles: Int
    /// Those whose content went to the store, and their bytes.
    public let uploadedFiles: Int
    /// Bytes that went to the store.
    public let uploadedBytes: Int64
    /// Those whose content the store had already.
    public let alreadyStoredFiles: Int
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
    /// Files in the library afterwards.
    public let libraryFiles: Int
    /// Why it stopped before the end; `nil` when every file was tried.
    public let stopped: TransferStopReason?

    /// Whether everything that was found is safe.
    public var isComplete: Bool { failures.isEmpty && stopped == nil }

    init(folder: URL, summary: BackupSummary, lacksThumbnailTool: Bool, stopped: TransferStopReason?) {
        self.folder = folder.path
        foundFiles = summary.progress.totalFiles
        uploadedFiles = summary.progress.uploadedFiles
        uploadedBytes = summary.progress.uploadedBytes
        alreadyStoredFiles = summary.progress.alreadyStoredFiles
        failures =
            summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
            + summary.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
        keptBeside = summary.conflicts.map {
            KeptBeside(path: $0.path.description, beside: $0.keptBeside.description)
        }
        leftOut = summary.leftOut.map { FileFailure(path: $0.path.description, reason: $0.reason.words) }
        thumbnails = summary.thumbnails.stored
        photosWithoutThumbnail = summary.thumbnails.notMade
        self.lacksThumbnailTool = lacksThumbnailTool
        libraryFiles = summary.catalogEntries
        self.stopped = stopped
    }
}

/// What a restore did.
public struct RestoreReport: Sendable, Codable, Equatable {
    /// The folder.
    public let folder: String
    /// Files that were wanted.
    public let wantedFiles: Int
    /// Files that were brought.
    public let restoredFiles: Int
    /// Their bytes.
    public let restoredBytes: Int64
    /// Files that stood there already with the same content.
    public let alreadyThereFiles: Int
    /// Files that were not brought.
    public let failures: [FileFailure]
    /// Those of them whose stored bytes are damaged or gone: `backUp(verifying:)` on a device that has them mends that.
    public let damagedFiles: Int
    /// Files that went beside something else of their name.
    public let keptBeside: [KeptBeside]
    /// Why it stopped before the end; `nil` when every file was tried.
    public let stopped: TransferStopReason?

    /// Whether everything that was wanted is there.
    public var isComplete: Bool { failures.isEmpty && stopped == nil }

    init(folder: URL, summary: RestoreSummary, stopped: TransferStopReason?) {
        self.folder = folder.path
        wantedFiles = summary.progress.totalFiles
        restoredFiles = summary.progress.restoredFiles
        restoredBytes = summary.progress.restoredBytes
        alreadyThereFiles = summary.progress.alreadyThereFiles
        failures = summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
        damagedFiles = summary.failures.count { $0.failure.isDamage }
        keptBeside = summary.restoredBeside.map { KeptBeside(path: $0.path.description, beside: $0.name) }
        self.stopped = stopped
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
