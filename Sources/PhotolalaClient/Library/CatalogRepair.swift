import Foundation
import PhotoCatalog

/// The result of a catalog repair.
public struct CatalogRepair: Sendable, Codable, Equatable {
    /// Whether the catalog was damaged and has been repaired.
    public let isRepaired: Bool
    /// The number of files in the library after the repair.
    public let libraryFiles: Int
    /// When the current snapshot was written. Omitted if nothing was repaired, or if no snapshot was intact and the
    /// library consists of the rows that were readable.
    public let snapshotWrittenAt: Date?
    /// Files that were omitted because they are not stored: they were being restored from the trash or added while a
    /// purge deleted them. A device that has them uploads them with its next backup.
    public let leftOutFiles: [String]

    init(_ repair: CatalogStore.Repair) {
        isRepaired = repair.isRepaired
        libraryFiles = repair.entries
        snapshotWrittenAt = repair.written
        leftOutFiles = repair.leftOut.map(\.description)
    }
}
