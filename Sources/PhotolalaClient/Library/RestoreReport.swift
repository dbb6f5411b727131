import Foundation
import PhotoCatalog
import PhotoSync

/// The result of a restore or of its dry run.
public struct RestoreReport: Sendable, Codable, Equatable {
    /// The destination folder.
    public let folder: String
    /// Whether this was a dry run, so that the counts state what would be restored.
    public let isDryRun: Bool
    /// The number of selected files.
    public let wantedFiles: Int
    /// The number of restored files.
    public let restoredFiles: Int
    /// Their total size, in bytes.
    public let restoredBytes: Int64
    /// The number of files that already existed with the same content.
    public let alreadyThereFiles: Int
    /// Files that could not be restored, except archived ones.
    public let failures: [FileFailure]
    /// The number of failures whose stored bytes are damaged or missing. `backUp(verifying:)` on a device that has them
    /// repairs this.
    public let damagedFiles: Int
    /// Files that were not restored because they are archived. A later restore downloads them after they have been
    /// requested from the archive.
    public let archived: [ArchivedFile]
    /// The number of archived files that this restore requested from the archive.
    public let askedBackFiles: Int
    /// The number of seconds after which all files requested by this restore are usually available; `nil` if it
    /// requested none.
    public let comeAgainAfter: Int?
    /// Files that were restored under a different name because another file has their name.
    public let keptBeside: [KeptBeside]
    /// Why the restore stopped early; `nil` if every file was tried.
    public let stopped: TransferStopReason?

    /// Whether all selected files are present in the folder.
    public var isComplete: Bool { failures.isEmpty && archived.isEmpty && stopped == nil }

    init(folder: URL, summary: RestoreSummary, isDryRun: Bool, stopped: TransferStopReason?) {
        self.folder = folder.path
        self.isDryRun = isDryRun
        wantedFiles = summary.progress.totalFiles
        restoredFiles = summary.progress.restoredFiles
        restoredBytes = summary.progress.restoredBytes
        alreadyThereFiles = summary.progress.alreadyThereFiles
        failures = summary.failures.filter { !$0.failure.isArchived }
            .map { FileFailure($0.path, $0.failure) }
        archived = summary.failures.compactMap { ArchivedFile($0.path, $0.failure) }
        let times = summary.failures.compactMap { $0.failure.retrievalTime }
        askedBackFiles = times.count
        comeAgainAfter = times.max().map { Int($0.components.seconds) }
        damagedFiles = summary.failures.count { $0.failure.isDamage }
        keptBeside = summary.restoredBeside.map { KeptBeside(path: $0.path.description, alternativePath: $0.name) }
        self.stopped = stopped
    }
}

/// A file that was not restored because the store has it in an archive.
public struct ArchivedFile: Sendable, Codable, Equatable {
    /// The state of the retrieval from the archive.
    public enum State: String, Sendable, Codable {
        /// Not requested.
        case archived
        /// Requested by this restore.
        case askedBack
        /// Requested earlier and still in progress.
        case onItsWay
        /// Retrieved; the next restore downloads it.
        case back
        /// The request was rejected or is not possible.
        case refused
    }

    /// The path in the library.
    public let path: String
    /// The state of the retrieval.
    public let state: State
    /// The stable name of the state's reason.
    public let code: FailureCode
    /// A description of the state for a person, in English.
    public let reason: String
    /// Values for a text, by the names that the documentation of the code states; `nil` if there are none.
    public let parameters: [String: String]?

    init?(_ path: LibraryPath, _ failure: RestoreFailure) {
        guard case .archived(let photo) = failure else { return nil }
        self.path = path.description
        (code, reason) = (photo.failure.code, photo.failure.text)
        parameters = photo.failure.parameters.isEmpty ? nil : photo.failure.parameters
        state =
            switch photo {
            case .notRequested: .archived
            case .requested: .askedBack
            case .inProgress: .onItsWay
            case .available: .back
            case .tierUnavailable, .notRetrievable, .refused: .refused
            }
    }
}

extension RestoreFailure {
    var isArchived: Bool {
        if case .archived = self { true } else { false }
    }

    /// The usual retrieval time, if this restore has just requested the file.
    fileprivate var retrievalTime: Duration? {
        if case .archived(.requested(let time)) = self { time } else { nil }
    }
}
