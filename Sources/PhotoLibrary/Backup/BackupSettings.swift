/// How a backup goes about it.
package struct BackupSettings: Sendable {
    /// How many files may be read or sent at the same time: as many as make it faster.
    package var parallelFiles = 2...16
    /// Files found and not yet begun, before further folders wait; one folder's files are always found together.
    package var filesAhead = 2_000
    /// Bytes of files that are held in memory at the same time.
    package var heldBytes = 20 << 20
    /// Bytes of memory beyond those that are kept for the files to come.
    package var spareBytes = 6 << 20
    /// Bytes of larger files that are in memory at the same time while they are sent: four of their parts.
    package var streamedBytes = 36 << 20
    /// Files up to this many bytes are read once and held until they are sent.
    package var heldFileLimit = 8 << 20
    /// The catalog is committed when this many new files wait, or a fiftieth of it where that is more and it is at hand.
    package var commitAfterFiles = 500
    /// The catalog is committed when new files wait for this many seconds.
    package var commitAfterSeconds = 30.0
    /// About so many contents that are stored already are asked for one by one, to find what was lost or damaged, by the
    /// first backup of a day that comes to its end.
    package var checkedContents = 500
    /// The most that further backups of that day ask for.
    package var checkedAgain = 32
    /// Reads all those contents back in place of asking for some.
    package var readsBack = false
    /// Makes thumbnails of photos that are stored without one, too.
    package var makesMissingThumbnails = false
    /// A transfer that breaks off is tried this many times in all.
    package var attempts = 3
    /// So many files in a row that the store did not take stop the backup.
    package var failuresInARow = 8
    /// The device's time zone, for photos that do not tell theirs; without one their dates have no offset.
    package var zone: CaptureZone?

    /// How many contents a backup asks for.
    func checks(isFirstOfDay: Bool) -> Int {
        if readsBack { return .max }
        return isFirstOfDay ? checkedContents : min(checkedContents, checkedAgain)
    }

    /// What the sending of a file that is not held keeps in memory: the part that is being sent, or all of a small file,
    /// and the piece being read.
    func bytesToStream(fileOf size: Int64) -> Int {
        let piece = min(size, Int64(FileInspection.pieceLength))
        return Int(min(size, Int64(Self.longestPart)) + piece)
    }

    /// Stores take a longer file in parts of this many bytes and hold one of them.
    private static let longestPart = 8 << 20

    package init() {}
}
