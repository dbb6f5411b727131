import PhotoSync

/// The progress of a backup, a restore or a verification.
public struct TransferProgress: Sendable, Equatable {
    /// The number of files to process; 0 while they are being counted, although processing may have started.
    public var totalFiles = 0
    /// Their total size, in bytes.
    public var totalBytes: Int64 = 0
    /// The number of processed files, including failed ones.
    public var finishedFiles = 0
    /// The number of failed files.
    public var failedFiles = 0
    /// The bytes of processed files, and of the transferred parts of others. Never decreases.
    public var finishedBytes: Int64 = 0
    /// The bytes transferred over the network. For a large file that an earlier backup or restore started, this
    /// includes the part that already exists, because it is read again. Never decreases.
    public var movedBytes: Int64 = 0

    /// Files that a backup downloads to this device to read them, with the fraction that has arrived: photos that are
    /// only in iCloud.
    public var downloading: [String: Double] = [:]
    /// The path of a large file that is being transferred, the last one that progressed.
    public var currentFile: String?

    init(_ reading: ReadingProgress) {
        (totalFiles, totalBytes) = (reading.totalFiles, reading.totalBytes)
        (finishedFiles, finishedBytes) = (reading.finishedFiles, reading.finishedBytes)
    }

    /// Creates an empty progress.
    public init() {}
}
