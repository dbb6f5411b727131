import PhotoCatalog
import PhotoSync

/// The outcome of one file of a backup, sync or restore.
public struct FileEvent: Sendable, Equatable {
    /// What was done with a file.
    public enum Outcome: Sendable, Equatable {
        /// Its content was uploaded.
        case uploaded
        /// The library already had its content.
        case alreadyStored
        /// It was downloaded.
        case downloaded
        /// The folder already had it.
        case alreadyThere
        /// It was not transferred.
        case failed(FileFailure)
    }

    /// The file's path in the library.
    public let path: String
    /// What was done.
    public let outcome: Outcome

    /// Returns `nil` for an event that does not finish a file, and for files that were left out or wait.
    init?(_ event: BackupEvent) {
        guard case .finished(let path, let outcome, _) = event else { return nil }
        self.path = path.description
        switch outcome {
        case .uploaded: self.outcome = .uploaded
        case .alreadyStored: self.outcome = .alreadyStored
        case .failed(let failure): self.outcome = .failed(FileFailure(path, failure))
        case .deleted, .deferred: return nil
        }
    }

    init?(_ event: RestoreEvent) {
        guard case .finished(let path, let outcome, _) = event else { return nil }
        self.path = path.description
        switch outcome {
        case .restored, .restoredBeside: self.outcome = .downloaded
        case .alreadyThere: self.outcome = .alreadyThere
        case .failed(let failure): self.outcome = .failed(FileFailure(path, failure))
        }
    }
}
