/// How a backup goes about it.
package struct BackupSettings: Sendable {
    /// Files read or sent at the same time.
    package var parallelFiles = 6
    /// Files up to this many bytes are read once and held until they are sent.
    package var heldFileLimit = 8 << 20
    /// The catalog is committed when this many new files wait, or a quarter of what it holds.
    package var commitAfterFiles = 500
    /// The catalog is committed when new files wait for this many seconds, and longer the larger it is.
    package var commitAfterSeconds = 30.0
    /// About so many contents that are stored already are asked for one by one, to find what was lost or damaged.
    package var checkedContents = 500
    /// Reads all those contents back in place of asking for some.
    package var readsBack = false
    /// Makes thumbnails of photos that are stored without one, too.
    package var makesMissingThumbnails = false
    /// A transfer that breaks off is tried this many times in all.
    package var attempts = 3
    /// So many files in a row that the store did not take stop the backup.
    package var failuresInARow = 8

    package init() {}
}
