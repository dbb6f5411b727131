/// What is to be done so that folder and library hold the same, when all that is new in the folder is in the library.
struct SyncPlan: Sendable {
    /// An entry that is to come to the folder, to where it is shown.
    struct Arrival: Sendable {
        let entry: CatalogEntry
        let name: LibraryEntryName
    }

    /// A file that is to leave its place.
    struct Departure: Sendable {
        let photo: LocalPhoto
        let synced: SyncedFile
        /// Whether another one has its name in the library.
        let isReplaced: Bool
    }

    /// What is the same without anything being done, and what is forgotten.
    var rows: [SyncRow] = []
    /// What was in sync and is gone from the folder.
    var removals: [SyncedFile] = []
    var arrivals: [Arrival] = []
    var departures: [Departure] = []
    /// Removals left out because the file may be in a folder whose name cannot be used.
    var heldByNames = 0
    /// What stands in the place of a photo that was in sync, and is none any more.
    var blocked: [LeftOutFile] = []
    /// Files whose content is not known to the library, or not known at all yet.
    var waiting: [LibraryPath] = []

    var isEmpty: Bool { removals.isEmpty && arrivals.isEmpty && departures.isEmpty }

    /// Departures that nothing comes for: neither the same content at another place nor another one at theirs.
    var losses: [Departure] {
        guard !departures.isEmpty else { return [] }
        var wanted = arrivals.reduce(into: [ContentDigest: Int]()) { $0[$1.name.md5, default: 0] += 1 }
        return departures.filter { departure in
            if let count = wanted[departure.synced.md5], count > 0 {
                wanted[departure.synced.md5] = count - 1
                return false
            }
            return !departure.isReplaced
        }
    }
}
