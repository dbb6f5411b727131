import Foundation
import PhotoLibrary

/// What a restore did, or would do.
public struct RestoreReport: Sendable, Codable, Equatable {
    /// The folder.
    public let folder: String
    /// Whether it only looked: what it says that was brought would be.
    public let isDryRun: Bool
    /// Files that were wanted.
    public let wantedFiles: Int
    /// Files that were brought.
    public let restoredFiles: Int
    /// Their bytes.
    public let restoredBytes: Int64
    /// Files that stood there already with the same content.
    public let alreadyThereFiles: Int
    /// Files that were not brought, but for archived ones.
    public let failures: [FileFailure]
    /// Those of them whose stored bytes are damaged or gone: `backUp(verifying:)` on a device that has them mends that.
    public let damagedFiles: Int
    /// Files that were not brought because they are archived. They come with a later restore, once they were asked back.
    public let archived: [ArchivedFile]
    /// Those of them that this restore asked for.
    public let askedBackFiles: Int
    /// Seconds after which those that this restore asked for are usually all there; `nil` where it asked for none.
    public let comeAgainAfter: Int?
    /// Files that went beside something else of their name.
    public let keptBeside: [KeptBeside]
    /// Why it stopped before the end; `nil` when every file was tried.
    public let stopped: TransferStopReason?

    /// Whether everything that was wanted is there.
    public var isComplete: Bool { failures.isEmpty && archived.isEmpty && stopped == nil }

    init(folder: URL, summary: RestoreSummary, isDryRun: Bool, stopped: TransferStopReason?) {
        self.folder = folder.path
        self.isDryRun = isDryRun
        wantedFiles = summary.progress.totalFiles
        restoredFiles = summary.progress.restoredFiles
        restoredBytes = summary.progress.restoredBytes
        alreadyThereFiles = summary.progress.alreadyThereFiles
        failures = summary.failures.filter { !$0.failure.isArchived }
            .map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
        archived = summary.failures.compactMap { ArchivedFile($0.path, $0.failure) }
        let times = summary.failures.compactMap { $0.failure.retrievalTime }
        askedBackFiles = times.count
        comeAgainAfter = times.max().map { Int($0.components.seconds) }
        damagedFiles = summary.failures.count { $0.failure.isDamage }
        keptBeside = summary.restoredBeside.map { KeptBeside(path: $0.path.description, beside: $0.name) }
        self.stopped = stopped
    }
}

/// A file that was not brought because the store has it in an archive.
public struct ArchivedFile: Sendable, Codable, Equatable {
    /// How far it is.
    public enum State: String, Sendable, Codable {
        /// It was not asked for.
        case archived
        /// It was asked for by this restore.
        case askedBack
        /// It was asked for before.
        case onItsWay
        /// It has come back, and the next restore brings it.
        case back
        /// It could not be asked for.
        case refused
    }

    /// Its path in the library.
    public let path: String
    /// How far it is.
    public let state: State
    /// The same, for a person.
    public let reason: String

    init?(_ path: LibraryPath, _ failure: RestoreFailure) {
        guard case .archived(let photo) = failure else { return nil }
        self.path = path.description
        reason = photo.words
        state =
            switch photo {
            case .notAskedFor: .archived
            case .askedBack: .askedBack
            case .onItsWay: .onItsWay
            case .back: .back
            case .tooFast, .notToBeAskedFor, .refused: .refused
            }
    }
}

extension RestoreFailure {
    fileprivate var isArchived: Bool {
        if case .archived = self { true } else { false }
    }

    /// How long it takes until it is there, where it was just asked for.
    fileprivate var retrievalTime: Duration? {
        if case .archived(.askedBack(let time)) = self { time } else { nil }
    }
}
