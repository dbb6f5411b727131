import ObjectStorage
import PhotoCatalog

extension PhotolalaLibrary {
    /// Moves photos to the trash, with their companion files. They remain stored, and in the trash for at least 30
    /// days, until `purgeTrash` is called. A later backup from a device that still has them leaves them in the trash.
    /// - Parameters:
    ///   - filter: The photos to move.
    ///   - confirming: Called once with the affected files; not called if there are none.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths.
    public func moveToTrash(
        where filter: PhotoFilter, confirming: @Sendable (TrashReport) async -> Bool
    ) async throws(PhotolalaError) -> TrashReport {
        let selection = try filter.checked()
        let trash = try await openTrash()
        do throws(SelectionError) {
            let (summary, isDone) = try await trash.moveToTrash(selection) {
                await confirming(TrashReport($0, isDone: false))
            }
            return TrashReport(summary, isDone: isDone)
        } catch {
            throw PhotolalaError(error)
        }
    }

    /// Restores photos from the trash to the library, with their companion files. If another photo now has the same
    /// path, both are kept, one under a different name.
    /// - Parameters:
    ///   - filter: The photos to restore.
    ///   - versions: The versions to restore if several have the same path.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths, or no such version.
    public func restoreFromTrash(
        where filter: PhotoFilter, versions: TrashVersionChoice = .latest
    ) async throws(PhotolalaError) -> TrashReport {
        let selection = try filter.checked()
        let versions = try versions.checked()
        let trash = try await openTrash()
        do {
            return TrashReport(try await trash.restore(selection, versions), isDone: true)
        } catch {
            throw PhotolalaError(error, in: "trash")
        }
    }

    /// Permanently deletes photos that have been in the trash for 30 days, or for any time, which frees quota
    /// immediately. Devices that still have the files keep them, and their backups do not upload them again. During the
    /// purge, which takes seconds per thousand photos, no device can add to the library; a running backup waits for its
    /// end.
    /// - Parameters:
    ///   - filter: The photos to delete, with their companion files; all photos in the trash by default. A photo that is
    ///     also in the library, or in the trash at a path that is not selected, is kept.
    ///   - versions: The versions to delete if several have the same path. Single versions are deleted without companion
    ///     files.
    ///   - includingRecent: Also deletes photos that have been in the trash for less than 30 days.
    ///   - confirming: Called once with what would be deleted; not called if there is nothing to delete.
    /// - Throws: `notFound` if there is no photo at one of the filter's paths, or no such version;
    ///   `temporarilyUnavailable` while another device is or may be purging: up to 40 minutes after an interrupted purge.
    public func purgeTrash(
        where filter: PhotoFilter = PhotoFilter(), versions: TrashVersionChoice = .all, includingRecent: Bool = false,
        confirming: @Sendable (PurgeReport) async -> Bool
    ) async throws(PhotolalaError) -> PurgeReport {
        let (selection, versions) = (try filter.checked(), try versions.checked())
        let (catalogs, store) = try await openCatalogs()
        guard let store = store as? any ObjectStore & DatedDeletion else {
            throw PhotolalaError(code: .photoStoreFailed, detail: "This photo store does not support safe deletion.")
        }
        var selected: PurgeSelection?
        if !selection.isEverything || versions != .all {
            do { selected = try await catalogs.contentsInTrash(selection, versions) } catch {
                throw PhotolalaError(error, in: "trash")
            }
        }
        do {
            let purge = TrashPurge(catalogs, store: store, includesRecent: includingRecent)
            let shared = selected?.shared ?? 0
            return PurgeReport(
                try await purge.run(selected?.contents) { await confirming(PurgeReport($0, shared: shared)) },
                shared: shared)
        } catch {
            throw PhotolalaError(error)
        }
    }

    private func openTrash() async throws(PhotolalaError) -> PhotoTrash {
        PhotoTrash(try await openCatalogs().catalogs)
    }

    private func openCatalogs() async throws(PhotolalaError) -> (catalogs: CatalogStore, store: any ObjectStore) {
        let (user, store) = try await open(for: .reading)
        let catalogs = CatalogStore(
            store: store, user: user, device: try await session.catalogTag(), cache: cache(user),
            recorder: undoFile(user), pause: pause)
        return (catalogs, store)
    }
}

/// The result of moving photos to or from the trash.
public struct TrashReport: Sendable, Codable, Equatable {
    /// Whether the operation was performed.
    public let isDone: Bool
    /// The number of affected files, including companion files.
    public let files: Int
    /// Their total size, in bytes.
    public let bytes: Int64
    /// The number of files that the filter did not match but that accompany a matching one: the other half of a Live
    /// Photo, an edit, a sidecar.
    public let companionFiles: Int
    /// Photos that were restored to a path that another photo now has.
    public let keptBeside: [KeptBeside]
    /// Photos that are missing in the store and therefore stay in the trash.
    public let missing: [String]
    /// The number of earlier versions of the same paths that stay in the trash, because only the latest of each was
    /// selected.
    public let otherVersions: Int
    /// Whether the operation was performed and ``PhotolalaLibrary/undo(confirming:)`` can undo it.
    public let isUndoable: Bool

    enum CodingKeys: String, CodingKey {
        case isDone, files, bytes, companionFiles, keptBeside, otherVersions, isUndoable
        case missing = "gone"
    }

    init(_ summary: TrashSummary, isDone: Bool) {
        self.isDone = isDone
        files = summary.files
        bytes = summary.bytes
        companionFiles = summary.companionFiles
        otherVersions = summary.otherVersions
        isUndoable = summary.isUndoable
        missing = summary.missing.map(\.description)
        keptBeside = summary.conflicts.map {
            KeptBeside(path: $0.path.description, alternativePath: $0.alternativePath.description)
        }
    }
}

/// Selects among several versions with the same path in the trash: editing a photo moves the replaced version there,
/// under the same name.
public enum TrashVersionChoice: Sendable, Equatable {
    /// The most recently trashed version of each path.
    case latest
    case all
    /// The versions whose MD5 starts with one of these prefixes of 4 to 32 hexadecimal digits.
    case ids([String])

    /// Returns whether a text is a valid ID prefix.
    public static func isID(_ text: String) -> Bool {
        (4...32).contains(text.utf8.count) && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    func checked() throws(PhotolalaError) -> TrashVersions {
        switch self {
        case .latest: return .latest
        case .all: return .all
        case .ids(let ids): return .withPrefixes(try Self.checkedIDs(ids))
        }
    }

    static func checkedIDs(_ ids: [String]) throws(PhotolalaError) -> [String] {
        guard !ids.isEmpty, ids.allSatisfy(isID) else {
            throw PhotolalaError(code: .invalidRequest, detail: "An ID must have 4 to 32 hexadecimal digits.")
        }
        return ids.map { $0.lowercased() }
    }
}
