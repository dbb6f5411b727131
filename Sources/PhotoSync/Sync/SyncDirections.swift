import PhotoCatalog

/// The directions in which a sync passes changes on.
package enum SyncDirections: Sendable, Equatable {
    case both
    /// Nothing in the folder is changed.
    case toLibrary
    /// Nothing in the library is changed.
    case toFolder
}

/// Changes that a sync in one direction left undone.
package struct SyncOmissions: Sendable, Equatable {
    /// Entries that were not placed in the folder. In a sync to the folder, files that are not in the library have their
    /// names.
    package var downloads = 0
    /// Files of the folder that were not added to the library.
    package var uploads = 0
    /// Files that were removed on one side and kept on the other.
    package var removals = 0

    var isEmpty: Bool { self == SyncOmissions() }
}

extension SyncSummary {
    /// Records what a sync in these directions leaves to others.
    mutating func recordRemaining(_ plan: SyncPlan, _ directions: SyncDirections, _ content: FolderContent) {
        (waitingFiles, ignoredEntries) = (plan.pending.count, plan.ignoredEntries)
        omissions = SyncOmissions()
        switch directions {
        case .both: break
        case .toLibrary:
            omissions.downloads = plan.arrivals.count
            omissions.removals = plan.losses.count
        case .toFolder:
            waitingFiles = content.unfinished.count
            omissions.downloads = plan.obstructedEntries
            omissions.uploads = plan.pending.count - waitingFiles
            omissions.removals = plan.removals.count
        }
    }
}
