import Foundation
import PhotoSync
import PhotolalaAPI

/// The result of a migration.
public struct LibraryMigrationReport: Sendable, Codable, Equatable {
    /// The results per folder. If the migration stopped early, the folder at which it stopped is the last one.
    public let folders: [BackupReport]
    /// When the last selected photo was backed up; `nil` if some are not yet. In this case, run the migration again.
    public let completedAt: Date?
}

/// A migration that this device has started.
public struct LibraryMigrationStatus: Sendable, Codable, Equatable {
    /// The resolved paths of the folders.
    public let folders: [String]
    /// The selection.
    public let filter: PhotoFilter
    /// When it was started.
    public let startedAt: Date
    /// When it was completed; `nil` if it has not been.
    public let completedAt: Date?

    /// - Throws: `unreadable` if this version cannot decode the selection.
    init(_ state: LibraryMigrationState) throws(LibraryMigrationStateError) {
        folders = state.folders
        do {
            filter =
                try state.selection.map { try WireJSON.decoder().decode(PhotoFilter.self, from: $0) } ?? PhotoFilter()
        } catch { throw .unreadable }
        (startedAt, completedAt) = (state.startedAt, state.completedAt)
    }
}
