import Foundation
import PhotoSync
import PhotolalaAPI

/// An estimate of the migration of local photos to the signed-in account.
public struct LibraryMigrationAssessment: Sendable {
    /// The selected files and those that still have to be uploaded.
    let plan: LibraryMigrationPlan
    /// The source to migrate; `nil` for folders.
    let source: (any PhotoSource)?
    /// The account for which the estimate was made.
    let user: UserID
    /// The selection.
    public let filter: PhotoFilter
    /// The resolved paths of the folders, or the ID of the ``PhotoSource``.
    public var folders: [String] { plan.folders.map(\.folder) }
    /// The number of selected photos, videos and sidecars.
    public var files: Int { plan.files }
    /// Their total size, in bytes.
    public var bytes: Int64 { plan.bytes }
    /// The number of further selected files that were permanently deleted from the library and are not uploaded again.
    public var deletedFiles: Int { plan.deletedFiles }
    /// The number of selected files whose content is not in the library yet.
    public var waitingFiles: Int { plan.waitingFiles }
    /// The number of bytes to upload, each content counted once.
    public var waitingBytes: Int64 { plan.waitingBytes }
    /// Selected folders that could not be read at all. Their files exist only on this device.
    public let unusableFolders: [FileFailure]
    /// Files, and folders inside the selected ones, that could not be read and therefore exist only on this device.
    public let failures: [FileFailure]
    /// The upload rate: measured by the transfers of the last week or otherwise by an upload of a few megabytes. `nil`
    /// if it could not be determined.
    public let bytesPerSecond: Double?
    /// The number of bytes that the account may store.
    public let storageLimit: Int64
    /// The number of bytes that the account stores, as far as they were counted.
    public let storageUsed: Int64

    /// The estimated duration of the upload, in seconds; `nil` if the rate is unknown.
    public var seconds: Double? { bytesPerSecond.map { Double(waitingBytes) / $0 } }

    /// The number of bytes by which the migration would exceed the quota; 0 if everything fits.
    public var missingBytes: Int64 {
        let (sum, overflow) = storageUsed.addingReportingOverflow(waitingBytes)
        return overflow ? waitingBytes : max(0, min(waitingBytes, sum - storageLimit))
    }
}
