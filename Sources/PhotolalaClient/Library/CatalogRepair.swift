import Foundation
import PhotoLibrary

/// What a repair of the catalog found and did.
public struct CatalogRepair: Sendable, Codable, Equatable {
    /// Whether there was anything to repair.
    public let isRepaired: Bool
    /// Files in the library now.
    public let libraryFiles: Int
    /// When the snapshot was written that is in force now; left out when nothing was repaired, and when none could be
    /// read, so that the library begins anew.
    public let snapshotWrittenAt: Date?

    init(_ repair: CatalogStore.Repair) {
        isRepaired = repair.isRepaired
        libraryFiles = repair.entries
        snapshotWrittenAt = repair.written
    }
}
