import PhotolalaClient

/// What a migration would upload.
public struct MigrationEstimate: Sendable, Equatable {
    /// The number of selected files.
    public let files: Int
    /// Their total size, in bytes.
    public let bytes: Int64
    /// The number of selected files whose content is not in the library yet.
    public let waitingFiles: Int
    /// The number of bytes to upload.
    public let waitingBytes: Int64
    /// The number of bytes by which the upload would exceed the account's storage limit.
    public let missingBytes: Int64
    /// The estimated duration of the upload, in seconds; `nil` if the rate is unknown.
    public let seconds: Double?
    /// The number of files that are not uploaded because they were permanently deleted from the library.
    public let deletedFiles: Int
    /// Files and folders that could not be read, with the reason.
    public let unreadable: [FileFailure]

    init(_ assessment: LibraryMigrationAssessment) {
        files = assessment.files
        bytes = assessment.bytes
        waitingFiles = assessment.waitingFiles
        waitingBytes = assessment.waitingBytes
        missingBytes = assessment.missingBytes
        seconds = assessment.seconds
        deletedFiles = assessment.deletedFiles
        unreadable = assessment.unusableFolders + assessment.failures
    }
}

/// The result of a migration.
public struct MigrationResult: Sendable, Equatable {
    /// Whether all selected files are in the library. Otherwise, the migration can be continued.
    public let isComplete: Bool
    /// The number of uploaded files.
    public let uploadedFiles: Int
    /// The number of uploaded bytes.
    public let uploadedBytes: Int64
    /// Files and folders that were not uploaded, with the reason.
    public let failures: [FileFailure]
    /// Why the upload stopped early.
    public let stopped: TransferStopReason?

    init(_ report: LibraryMigrationReport) {
        isComplete = report.completedAt != nil
        uploadedFiles = report.folders.reduce(0) { $0 + $1.uploadedFiles }
        uploadedBytes = report.folders.reduce(0) { $0 + $1.uploadedBytes }
        failures = report.folders.flatMap(\.failures)
        stopped = report.folders.compactMap(\.stopped).first
    }
}
