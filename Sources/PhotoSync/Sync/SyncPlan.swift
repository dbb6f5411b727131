import PhotoCatalog

/// The work that makes folder and library equal, once all new files of the folder are in the library.
struct SyncPlan: Sendable {
    /// An entry to place in the folder, at the path at which it is shown.
    struct Arrival: Sendable {
        let entry: CatalogEntry
        let identity: EntryIdentity
    }

    /// A file to remove from its path.
    struct Departure: Sendable {
        let photo: LocalPhoto
        let synced: SyncedFile
        /// Whether another entry is shown at its path.
        let isReplaced: Bool
    }

    /// Records of files that are in sync without further work, and records to remove.
    var rows: [SyncRow] = []
    /// Files that were in sync and are missing in the folder.
    var removals: [SyncedFile] = []
    var arrivals: [Arrival] = []
    var departures: [Departure] = []
    /// The number of removals left out because the file may be in a folder whose name cannot be used.
    var withheldByNames = 0
    /// The number of entries that do not arrive, because the folder ignores their path.
    var ignoredEntries = 0
    /// The number of entries that do not arrive, because a file that is not in the library has their path.
    var obstructedEntries = 0
    /// Files at the path of a synced photo that are not photos any more.
    var blocked: [LeftOutFile] = []
    /// Files whose content is not in the library, or not known yet.
    var pending: [LibraryPath] = []

    var isEmpty: Bool { removals.isEmpty && arrivals.isEmpty && departures.isEmpty }

    /// The arrivals whose content leaves another path of the folder, the other ones, and the departures whose content does
    /// not stay in it.
    var transfers: (moves: [Arrival], downloads: [Arrival], losses: [Departure]) {
        var leaving = departures.reduce(into: [ContentDigest: Int]()) { $0[$1.synced.md5, default: 0] += 1 }
        let take = { (md5: ContentDigest) in
            guard let count = leaving[md5], count > 0 else { return false }
            leaving[md5] = count - 1
            return true
        }
        var (moves, downloads) = ([Arrival](), [Arrival]())
        for arrival in arrivals {
            if take(arrival.identity.md5) { moves.append(arrival) } else { downloads.append(arrival) }
        }
        return (moves, downloads, departures.filter { take($0.synced.md5) })
    }

    /// Departures without a replacement: neither the same content at another path, nor another content at theirs.
    var losses: [Departure] {
        guard !departures.isEmpty else { return [] }
        var wanted = arrivals.reduce(into: [ContentDigest: Int]()) { $0[$1.identity.md5, default: 0] += 1 }
        return departures.filter { departure in
            if let count = wanted[departure.synced.md5], count > 0 {
                wanted[departure.synced.md5] = count - 1
                return false
            }
            return !departure.isReplaced
        }
    }
}
