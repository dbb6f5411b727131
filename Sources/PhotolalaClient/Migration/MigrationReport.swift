import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What a migration did.
public struct MigrationReport: Sendable, Codable, Equatable {
    /// What was done in each folder. One at which the migration stopped is the last.
    public let folders: [BackupReport]
    /// When the last of the chosen photos was safe; `nil` when some are not yet. Run it again then.
    public let completedAt: Date?
}

/// A migration that this device has begun.
public struct BegunMigration: Sendable, Codable, Equatable {
    /// The folders, by their real paths.
    public let folders: [String]
    /// What was chosen.
    public let filter: PhotoFilter
    /// When it was begun.
    public let startedAt: Date
    /// When it came to its end; `nil` when it has not.
    public let completedAt: Date?

    /// - Throws: `unreadable` when what was chosen is not in words that this version knows.
    init(_ mark: MigrationMark) throws(MigrationMarkError) {
        folders = mark.folders
        do {
            filter =
                try mark.selection.map { try WireJSON.decoder().decode(PhotoFilter.self, from: $0) } ?? PhotoFilter()
        } catch { throw .unreadable }
        (startedAt, completedAt) = (mark.startedAt, mark.completedAt)
    }
}
