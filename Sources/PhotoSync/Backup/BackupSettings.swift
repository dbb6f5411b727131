import PhotoCatalog

/// The settings of a backup.
package struct BackupSettings: Sendable {
    /// The range of files that are read or uploaded at the same time. The number grows while throughput improves.
    package var parallelFiles = 2...16
    /// The number of files that may be queued before the walk pauses; the files of one folder are always queued
    /// together.
    package var filesAhead = 2_000
    /// Bytes of files that are held in memory at the same time.
    package var bufferedBytes = 20 << 20
    /// Additional bytes of memory that are kept as spare buffers.
    package var spareBytes = 6 << 20
    /// Bytes of larger files that are in memory at the same time during upload: four parts.
    package var streamedBytes = 36 << 20
    /// Files up to this many bytes are read once and held until they are uploaded.
    package var bufferedFileLimit = 8 << 20
    /// The catalog is committed when this many new files are pending or, if it is loaded, a fiftieth of its entries if
    /// that is more.
    package var commitAfterFiles = 500
    /// The catalog is committed when new files have been pending for this many seconds.
    package var commitAfterSeconds = 30.0
    /// The approximate number of stored contents that a backup checks one by one, to find lost or damaged objects,
    /// until one backup of the day has completed.
    package var checkedContents = 500
    /// The limit of such checks in further backups of that day.
    package var recheckedContents = 32
    /// Whether all stored contents are read back, instead of checking some of them.
    package var verifiesStoredBytes = false
    /// Whether thumbnails and previews are also made for photos that are stored without them.
    package var makesMissingThumbnails = false
    /// The JPEG quality of previews, 1 to 100; `nil` if none are made.
    package var previewQuality: Int?
    /// The length, in bytes, up to which a file of a source is read once more for its pictures.
    package var pictureCopyLimit: Int64 = 256 << 20
    /// The number of attempts for each transfer.
    package var attempts = 3
    /// The backup stops when this many files in a row fail at the store.
    package var failuresInARow = 8
    /// The files of the folder to leave out, in addition to those that ignore files name.
    package var filter = FolderFilter()
    /// The folder of the library to which the folder's files belong; `nil` for its root.
    package var destination: LibraryPath?
    /// The device's time zone, for photos that do not record theirs. Without it their dates have no UTC offset.
    package var zone: CaptureZone?

    /// Limits the number of files that are read or uploaded at the same time; `nil` keeps the range.
    package mutating func limitParallelFiles(_ maximum: Int?) {
        guard let maximum else { return }
        parallelFiles = min(parallelFiles.lowerBound, max(1, maximum))...max(1, maximum)
    }

    /// Returns the number of contents that a backup checks.
    func checkCount(isFirstOfDay: Bool) -> Int {
        if verifiesStoredBytes { return .max }
        return isFirstOfDay ? checkedContents : min(checkedContents, recheckedContents)
    }

    /// Returns the memory that uploading a file that is not held needs: the part being uploaded, or the whole file if
    /// it is smaller, and the piece being read.
    func bytesToStream(fileOf size: Int64) -> Int {
        let maximumRead = min(size, Int64(FileInspection.pieceLength))
        return Int(min(size, Int64(Self.longestPart)) + maximumRead)
    }

    /// Stores upload longer files in parts of this many bytes and hold one of them in memory.
    private static let longestPart = 8 << 20

    package init() {}
}
