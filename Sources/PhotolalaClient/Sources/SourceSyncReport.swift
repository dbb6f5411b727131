import PhotoSync

/// What ``PhotolalaLibrary/syncUp(_:removals:verifying:)`` does with assets that were removed from the source.
public enum RemovedAssets: Sendable, CaseIterable {
    /// They stay in the library. Required if the app or its user frees space on the device by removing photos that are
    /// backed up.
    case keep
    /// Moves them to the library's trash, where they stay for at least 30 days. If too many were removed at once or
    /// within two days (more than 20, and more than a tenth of all), they stay, and the report counts them.
    case moveToTrash
    /// Moves them to the trash, no matter how many.
    case moveAllToTrash

    var settings: SourceSyncSettings {
        var settings = SourceSyncSettings()
        settings.trashesRemoved = self != .keep
        settings.trashesAll = self == .moveAllToTrash
        return settings
    }
}

/// The result of ``PhotolalaLibrary/syncUp(_:removals:verifying:)``.
public struct SourceSyncReport: Sendable, Codable, Equatable {
    /// The result of the backup.
    public let backup: BackupReport
    /// Files of removed assets that were moved to the library's trash.
    public let trashed: [String]
    /// Files that an earlier sync had moved to the trash and that were restored, because their assets are back.
    public let restored: [String]
    /// The number of removed assets that stay in the library, because there are too many.
    /// ``RemovedAssets/moveAllToTrash`` moves them.
    public let heldAssets: Int

    /// Whether everything that was found is backed up, and no removal was held back.
    public var isComplete: Bool { backup.isComplete && heldAssets == 0 }

    init(backup: BackupReport, _ summary: SourceSyncSummary) {
        self.backup = backup
        trashed = summary.trashed.map(\.description)
        restored = summary.restored.map(\.description)
        heldAssets = summary.heldAssets
    }
}

extension PhotolalaLibrary {
    /// Brings a source's new and changed assets to the library, as ``backUp(_:verifying:)`` does, and applies removals
    /// in the source as requested. Nothing in the source is changed.
    ///
    /// ```swift
    /// let report = try await library.syncUp(source, removals: .moveToTrash).report
    /// if report.heldAssets > 0 { askWhetherToRemove(report.heldAssets) }
    /// ```
    ///
    /// An asset is removed if the source reports it in ``PhotoChanges/removed``, and a resource if its asset no longer
    /// has it, such as the edited version after the edit was reverted. Assets that the source merely does not list stay,
    /// for instance because the user let the app see selected photos only. So do assets that were removed before the
    /// first sync with this choice, or while another call backed the source up. An asset that returns with the same
    /// content is restored from the trash.
    /// - Parameters:
    ///   - source: The source, which is only read.
    ///   - removals: What is done with removed assets.
    ///   - verifying: Reads the photos back from the store, as in ``backUp(_:selecting:verifying:thumbnails:)``.
    /// - Throws: `invalidRequest` for removals in a ``FolderSource``: ``sync(_:options:thumbnails:confirming:)`` applies them.
    public func syncUp(
        _ source: any PhotoSource, removals: RemovedAssets = .keep, verifying: Bool = false
    ) -> Transfer<TransferProgress, SourceSyncReport> {
        Transfer { progress throws(PhotolalaError) in
            let place = BackupPlace(source)
            guard place.folder == nil || removals == .keep else {
                throw PhotolalaError(
                    code: .invalidRequest, detail: "Removals in a folder are applied by a sync of the folder.")
            }
            return try await syncUp(
                place, removals: removals, as: nil, only: nil, verifying: verifying,
                thumbnails: .ofNewPhotos, progress: progress)
        }
    }
}
