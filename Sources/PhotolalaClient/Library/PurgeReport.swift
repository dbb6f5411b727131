import PhotoCatalog

/// The extent or the result of a purge of the trash.
public struct PurgeReport: Sendable, Codable, Equatable {
    /// Whether the purge was confirmed and completed.
    public let isDone: Bool
    /// The number of files in the trash that are to be deleted, at all paths of their contents.
    public let files: Int
    /// The total size of their distinct contents, in bytes.
    public let bytes: Int64
    /// The number of their distinct contents.
    public let contents: Int
    /// The number of selected contents that are not deleted because the library also has them outside the trash.
    public let keptContents: Int
    /// The number of selected contents that are not deleted because the trash also has them at paths that are not
    /// selected.
    public let sharedContents: Int
    /// The number of selected contents that are not deleted because they have not been in the trash for 30 days.
    public let recentContents: Int
    /// The number of deleted contents.
    public let deletedContents: Int
    /// The number of contents that could not be deleted.
    public let failedContents: Int
    /// The number of contents whose deletion has an unknown outcome. For up to 40 minutes nothing can be added to the
    /// library; the next purge determines the outcome.
    public let unknownContents: Int
    /// Why the purge stopped early. In this case, too, the library may reject additions for up to 40 minutes.
    public let stopped: TransferStopReason?

    init(_ summary: PurgeSummary, shared: Int) {
        sharedContents = shared
        isDone = summary.isDone
        (files, bytes, contents) = (summary.files, summary.bytes, summary.contents)
        (keptContents, recentContents) = (summary.kept, summary.recent)
        (deletedContents, failedContents) = (summary.deleted, summary.failed)
        unknownContents = summary.unknown
        stopped = summary.stopped.map { TransferStopReason(PhotolalaError($0)) }
    }
}
