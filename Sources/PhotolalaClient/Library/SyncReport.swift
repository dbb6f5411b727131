import Foundation
import PhotoLibrary

/// What a sync did, or would do.
public struct SyncReport: Sendable, Codable, Equatable {
    /// The folder.
    public let folder: String
    /// Whether nothing was done, and this is what a sync would do.
    public let isDryRun: Bool
    /// Photos and videos in the folder, with their sidecars, when it was looked at.
    public let localFiles: Int
    /// Files in the library afterwards; `nil` where nothing had changed and it was not counted.
    public let libraryFiles: Int?
    /// Files of the folder that came to the library, moved ones included.
    public let addedFiles: Int
    /// Of them, those that were in the library's trash and were put into the folder again.
    public let takenOutFiles: Int
    /// Files whose content went to the store.
    public let uploadedFiles: Int
    /// Bytes that went to the store.
    public let uploadedBytes: Int64
    /// Files that came from the store.
    public let downloadedFiles: Int
    /// Their bytes.
    public let downloadedBytes: Int64
    /// Files of the folder that were given the name and folder that they have in the library.
    public let movedFiles: Int
    /// What was removed from the folder and went to the library's trash.
    public let trashedInLibrary: [String]
    /// What went to the folder's own trash, `.photolala-trash`.
    public let trashedHere: [String]
    /// How many are missing in the folder and stay in the library, because they are so many.
    public let heldInLibrary: Int
    /// How many are in the library's trash and stay in the folder, because they are so many.
    public let heldHere: Int
    /// How many are missing in the folder and stay in the library because a file or folder whose name cannot be used may be
    /// or contain them; `nil` for none.
    public let heldByNames: Int?
    /// Whether the folder is another one than was synced before at this place: a disk that is not mounted, perhaps.
    /// Nothing was done then.
    public let isAnotherFolder: Bool
    /// Files that were changed just now; they are synced next time.
    public let waitingFiles: Int
    /// Photos that stand beside another one that has their name.
    public let keptBeside: [KeptBeside]
    /// Files that were not brought to the other side.
    public let failures: [FileFailure]
    /// Files in the folder that are neither photo nor video, with the reason.
    public let leftOut: [FileFailure]
    /// Names in one folder that differ only in case or in how a letter is composed.
    public let sameNames: [[String]]
    /// Whether no thumbnails were made because there is no tool for it on this device.
    public let lacksThumbnailTool: Bool
    /// Why it stopped before the end; `nil` when every file was tried.
    public let stopped: TransferStopReason?
    /// Files of `failures` for which the account has no room.
    public let filesWithoutRoom: Int
    /// How much the account stores now, as far as this device knows; `nil` where nothing was to be sent.
    public let storage: StorageStanding?

    /// Whether nothing failed and nothing was held back.
    public var isComplete: Bool { failures.isEmpty && stopped == nil && heldInLibrary == 0 && heldHere == 0 }

    /// Whether anything was done on either side.
    public var didSomething: Bool {
        addedFiles + downloadedFiles + movedFiles + trashedInLibrary.count + trashedHere.count > 0
    }

    init(
        folder: URL, summary: SyncSummary, isDryRun: Bool, lacksThumbnailTool: Bool, stopped: TransferStopReason?,
        storage: StorageStanding?
    ) {
        let (there, here) = (summary.toLibrary, summary.toFolder)
        self.folder = folder.path
        self.isDryRun = isDryRun
        localFiles = summary.localFiles
        libraryFiles = summary.libraryEntries
        addedFiles = summary.addedEntries
        takenOutFiles = summary.takenOutEntries
        uploadedFiles = there.progress.uploadedFiles
        uploadedBytes = there.progress.uploadedBytes
        downloadedFiles = here.progress.restoredFiles
        downloadedBytes = here.progress.restoredBytes
        movedFiles = summary.movedFiles
        trashedInLibrary = summary.trashedEntries.map(\.description)
        trashedHere = summary.trashedFiles.map(\.description)
        heldInLibrary = summary.heldEntries
        heldHere = summary.heldFiles
        heldByNames = summary.heldByNames > 0 ? summary.heldByNames : nil
        isAnotherFolder = summary.isAnotherFolder
        waitingFiles = summary.waitingFiles
        keptBeside =
            there.conflicts.map { KeptBeside(path: $0.path.description, beside: $0.keptBeside.description) }
            + here.restoredBeside.map { KeptBeside(path: $0.path.description, beside: $0.name) }
        failures = Self.failures(summary)
        filesWithoutRoom = there.failures.count { $0.failure == .store(.quotaExceeded) }
        leftOut = there.leftOut.map { FileFailure(path: $0.path.description, reason: $0.reason.words) }
        sameNames = there.clashes.map { $0.paths.map(\.description) }
        self.lacksThumbnailTool = lacksThumbnailTool
        self.stopped = stopped
        self.storage = storage
    }

    private static func failures(_ summary: SyncSummary) -> [FileFailure] {
        let (there, here) = (summary.toLibrary, summary.toFolder)
        return there.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
            + there.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
            + here.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
            + summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
            + summary.blocked.map {
                FileFailure(path: $0.path.description, reason: "\($0.reason.words); the library keeps its photo")
            }
    }
}

/// How far a sync is, in the direction in which it is working just now.
public struct SyncProgress: Sendable, Equatable {
    /// Which side something is brought to.
    public enum Direction: Sendable, Equatable {
        /// Files of the folder are looked at and sent.
        case toLibrary
        /// Photos of the library are fetched.
        case toFolder
    }

    /// The direction.
    public let direction: Direction
    /// How far it is there.
    public let transfer: TransferProgress

    func isOvertaken(by other: SyncProgress) -> Bool {
        direction == other.direction && transfer.isOvertaken(by: other.transfer)
    }
}

/// What a sync may do beyond the usual.
public struct SyncOptions: Sendable, Equatable {
    /// Puts what is missing in the folder into the library's trash, however much it is.
    public var trashesAllMissing = false
    /// Moves what is in the library's trash to the folder's, however much it is.
    public var followsAllTrash = false
    /// Only finds out what would be done.
    public var isDryRun = false

    /// The usual.
    public init() {}
}
