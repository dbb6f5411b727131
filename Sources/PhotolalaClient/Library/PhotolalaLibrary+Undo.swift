import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Secrets

extension PhotolalaLibrary {
    /// Undoes the last change that this profile made to the account's trash with `moveToTrash`, `restoreFromTrash`, a sync
    /// of a folder, or a `syncUp` that applies removals. A purge cannot be undone, and an undo neither. Files that any
    /// device has changed since keep their state.
    /// - Parameter confirming: Called once with what would be changed; not called if nothing can be undone.
    /// - Returns: What was changed. If nothing of the change can be undone any more, `isDone` is false and `files` is 0.
    /// - Throws: `notFound` if there is nothing to undo; `localStorageFailed` if the record of the change is unusable.
    public func undo(
        confirming: @Sendable (UndoReport) async -> Bool
    ) async throws(PhotolalaError) -> UndoReport {
        let (user, store) = try await open(for: .reading)
        let file = undoFile(user)
        let recorded: [UndoFile.Change]
        do { recorded = try await file.read() } catch { throw await Self.error(error, file) }
        guard !recorded.isEmpty else {
            throw PhotolalaError(code: .notFound, detail: "There is nothing to undo on this device.")
        }
        let catalogs = CatalogStore(
            store: store, user: user, device: try await session.catalogTag(), cache: cache(user), pause: pause)
        do {
            let summary = try await PhotoTrash(catalogs).undo(recorded.map(\.change)) {
                await confirming(UndoReport($0, of: recorded[$0.index]))
            }
            // Without the record nothing is lost: its timestamps no longer match those of the files that were undone.
            if summary.isDone, summary.missing.isEmpty { _ = await file.remove() }
            return UndoReport(summary, of: recorded[summary.index])
        } catch {
            throw PhotolalaError(error)
        }
    }

    /// A damaged record is removed, because nothing else would replace it before the next change.
    private static func error(_ error: UndoFileError, _ file: UndoFile) async -> PhotolalaError {
        switch error {
        case .damaged:
            let isRemoved = await file.remove()
            return PhotolalaError(
                code: .localStorageFailed,
                detail: "The record of the last change is damaged\(isRemoved ? " and was removed" : ""). Nothing was "
                    + "changed; use the trash to restore photos.")
        case .unreadable(let error):
            return PhotolalaError(
                code: .localStorageFailed, detail: "Cannot read the record of the last change: \(error.message).",
                cause: FailureCause(error))
        }
    }

    func undoFile(_ user: UserID) -> UndoFile { UndoFile(stateFolder: stateFolder, user: user, now: now) }
}

/// The extent or the result of undoing the last change to the trash.
public struct UndoReport: Sendable, Codable, Equatable {
    /// The kind of change that is undone.
    public enum Change: String, Sendable, Codable, CaseIterable {
        /// Photos were moved to the trash.
        case movedToTrash
        /// Photos were restored from the trash.
        case restored
        /// A sync moved photos to the trash that were removed from a folder or source.
        case synced
    }

    /// Whether the change was undone.
    public let isDone: Bool
    /// The change that is undone.
    public let change: Change
    /// When it was made, by this device's clock.
    public let changedAt: Date
    /// The number of files that are restored from the trash or moved back to it.
    public let files: Int
    /// Their paths.
    public let paths: [String]
    /// Their total size, in bytes.
    public let bytes: Int64
    /// How many of them are restored from the trash.
    public let restoredFiles: Int
    /// The number of files that keep their state because it is not the one that the change gave them: any device changed
    /// them since, or the change was interrupted.
    public let changedFiles: Int
    /// The number of files that were permanently deleted since.
    public let purgedFiles: Int
    /// Files that are missing in the store and therefore stay in the trash.
    public let missing: [String]
    /// Restored photos whose path another photo now has.
    public let keptBeside: [KeptBeside]

    init(_ summary: UndoSummary, of recorded: UndoFile.Change) {
        isDone = summary.isDone
        change =
            switch recorded.change.command {
            case .trash: .movedToTrash
            case .restore: .restored
            case .sync: .synced
            }
        changedAt = recorded.date
        (files, bytes, restoredFiles) = (summary.restored + summary.trashed, summary.bytes, summary.restored)
        paths = summary.paths.map(\.description)
        (changedFiles, purgedFiles) = (summary.changed, summary.purged)
        missing = summary.missing.map(\.description)
        // Two restored versions of a path each find the other one.
        var seen: Set<[LibraryPath]> = []
        keptBeside = summary.conflicts.filter { seen.insert([$0.path, $0.alternativePath]).inserted }.map {
            KeptBeside(path: $0.path.description, alternativePath: $0.alternativePath.description)
        }
    }
}
