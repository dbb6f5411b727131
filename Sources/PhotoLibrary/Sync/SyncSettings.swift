/// How a sync goes about it.
package struct SyncSettings: Sendable {
    /// Puts what is missing in the folder into the library's trash, however much it is.
    package var trashesAllMissing = false
    /// Moves what is in the library's trash to the folder's, however much it is.
    package var followsAllTrash = false
    /// Only finds out what would be done.
    package var isDryRun = false

    package init() {}

    /// More than so many of the files that were in sync do not leave either side without being asked for.
    static func mostLosses(of synced: Int) -> Int { max(20, synced / 10) }
}
