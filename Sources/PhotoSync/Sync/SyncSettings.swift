/// The settings of a sync.
package struct SyncSettings: Sendable {
    /// Whether all entries that are missing in the folder are moved to the library's trash, regardless of their number.
    package var trashesAllMissing = false
    /// Whether all files whose entries are in the library's trash are moved to the folder's trash, regardless of their
    /// number.
    package var followsAllTrash = false
    /// Whether the sync only determines what would be done, and changes nothing.
    package var isDryRun = false
    /// The sides that may be changed.
    package var directions = SyncDirections.both

    package init() {}

    /// Returns the largest number of synced files that are removed on either side without confirmation.
    static func maximumLosses(of synced: Int) -> Int { max(20, synced / 10) }
}
