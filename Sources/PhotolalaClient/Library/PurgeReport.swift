import PhotoLibrary

/// What is to be deleted from the trash for good, or was.
public struct PurgeReport: Sendable, Codable, Equatable {
    /// Whether it was wanted, and gone through to its end.
    public let isDone: Bool
    /// Files in the trash that are over their 30 days, or all that are there.
    public let files: Int
    /// Bytes of their different contents.
    public let bytes: Int64
    /// Different contents of them.
    public let contents: Int
    /// Contents that were deleted.
    public let deletedContents: Int
    /// Contents that could not be.
    public let failedContents: Int
    /// Contents of which the answer was lost: for up to 40 minutes nothing can be added to the library, and the next purge
    /// finds out.
    public let unknownContents: Int
    /// Why it broke off. The library may take nothing for up to 40 minutes then, either.
    public let stopped: TransferStopReason?

    init(_ summary: PurgeSummary) {
        isDone = summary.isDone
        (files, bytes, contents) = (summary.files, summary.bytes, summary.contents)
        (deletedContents, failedContents) = (summary.deleted, summary.failed)
        unknownContents = summary.unknown
        stopped = summary.stopped.map { error in
            let told = PhotolalaError(error)
            return TransferStopReason(code: told.code, detail: told.detail)
        }
    }
}
