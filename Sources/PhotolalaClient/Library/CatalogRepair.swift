import Foundation
import PhotoLibrary

/// What a repair of the catalog found and did.
public struct CatalogRepair: Sendable, Codable, Equatable {
    /// Whether there was anything to repair.
    public let isRepaired: Bool
    /// Files in the library now.
    public let libraryFiles: Int
    /// When the snapshot was written that is in force now; left out when nothing was repaired, and when none is
    /// whole, so that the library is what could be read besides.
    public let snapshotWrittenAt: Date?
    /// Files that are left out, for they are not stored: somebody had begun to take them out of the trash, or to add them,
    /// while they were deleted from there for good. A device that has them sends them with its next backup.
    public let leftOutFiles: [String]

    init(_ repair: CatalogStore.Repair) {
        isRepaired = repair.isRepaired
        libraryFiles = repair.entries
        snapshotWrittenAt = repair.written
        leftOutFiles = repair.leftOut.map(\.description)
    }
}
