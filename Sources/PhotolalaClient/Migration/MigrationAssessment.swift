import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What it takes to bring photos of this device to the account that is signed in.
public struct MigrationAssessment: Sendable {
    /// What was chosen, and what of it waits.
    let plan: MigrationPlan
    /// To whom it was shown.
    let user: UserID
    /// What was chosen.
    public let filter: PhotoFilter
    /// The folders, by their real paths.
    public var folders: [String] { plan.folders.map(\.folder) }
    /// Photos, videos and sidecars that were chosen.
    public var files: Int { plan.files }
    /// Their bytes.
    public var bytes: Int64 { plan.bytes }
    /// Files that were chosen besides and were deleted from the library for good: they are not brought again.
    public var deletedFiles: Int { plan.deletedFiles }
    /// Those of them whose content is not in the library yet.
    public var waitingFiles: Int { plan.waitingFiles }
    /// Bytes to be sent: each content once.
    public var waitingBytes: Int64 { plan.waitingBytes }
    /// Chosen folders that could not be used at all: what is in them is on this device only.
    public let unusableFolders: [FileFailure]
    /// Files, and folders in the chosen ones, that could not be read, and so are on this device only: nobody can say that all is safe.
    public let failures: [FileFailure]
    /// How fast this device sends: as its transfers of the last week did, else as a try of a few megabytes just now. `nil`
    /// when it could not be told.
    public let bytesPerSecond: Double?
    /// Bytes that the account may store.
    public let storageLimit: Int64
    /// Bytes that it stores, as far as they were counted.
    public let storageUsed: Int64

    /// About how long the sending takes; `nil` when the rate could not be told.
    public var seconds: Double? { bytesPerSecond.map { Double(waitingBytes) / $0 } }

    /// Bytes that do not fit into the account; 0 when all do.
    public var missingBytes: Int64 {
        let (sum, overflow) = storageUsed.addingReportingOverflow(waitingBytes)
        return overflow ? waitingBytes : max(0, min(waitingBytes, sum - storageLimit))
    }
}
