import PhotoLibrary

/// How far a backup, a restore or a verification is.
public struct TransferProgress: Sendable, Equatable {
    /// Files to look at; 0 while they are being counted, although the first may be under way already.
    public var totalFiles = 0
    /// Their bytes.
    public var totalBytes: Int64 = 0
    /// Files that are settled, one way or the other.
    public var finishedFiles = 0
    /// Files that failed.
    public var failedFiles = 0
    /// Bytes of settled files, and of the parts of others that have moved; it never falls.
    public var finishedBytes: Int64 = 0
    /// Bytes that went over the network so far; of a large file that an earlier backup or restore had begun, with what
    /// is there since then, for that is read again. It never falls.
    public var movedBytes: Int64 = 0

    init(_ reading: ReadingProgress) {
        (totalFiles, totalBytes) = (reading.totalFiles, reading.totalBytes)
        (finishedFiles, finishedBytes) = (reading.finishedFiles, reading.finishedBytes)
    }

    /// Nothing yet.
    public init() {}
}
