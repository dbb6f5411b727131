import ObjectStorage
import PhotoLibrary

extension PhotolalaLibrary {
    /// Puts photos into the trash, with what belongs to them. They stay stored, and in the trash for 30 days at least,
    /// until somebody calls `purgeTrash`. A later backup of a device that still has them leaves them there.
    /// - Parameters:
    ///   - filter: which.
    ///   - confirming: asked once, with what would go there; not where that is nothing.
    /// - Throws: `notFound` when there is nothing at one of the filter's paths.
    public func moveToTrash(
        where filter: PhotoFilter, confirming: @Sendable (TrashReport) async -> Bool
    ) async throws(PhotolalaError) -> TrashReport {
        let selection = try filter.checked()
        let trash = try await openTrash()
        do throws(SelectionError) {
            let (summary, isDone) = try await trash.put(selection) { await confirming(TrashReport($0, isDone: false)) }
            return TrashReport(summary, isDone: isDone)
        } catch {
            throw PhotolalaError(error)
        }
    }

    /// Takes photos out of the trash, with what belongs to them. Where another photo has their path by now both are kept,
    /// one beside the other.
    /// - Parameters:
    ///   - filter: which.
    ///   - versions: which of those that have one path.
    /// - Throws: `notFound` when there is nothing at one of the filter's paths, or no such version.
    public func takeOutOfTrash(
        where filter: PhotoFilter, versions: TrashVersionChoice = .latest
    ) async throws(PhotolalaError) -> TrashReport {
        let selection = try filter.checked()
        let versions = try versions.checked()
        let trash = try await openTrash()
        do {
            return TrashReport(try await trash.takeOut(selection, versions), isDone: true)
        } catch {
            throw PhotolalaError(error, in: "trash")
        }
    }

    /// Deletes for good what has been in the trash for 30 days, or all that is there, which makes room at once. Devices that still have the files keep them, and their
    /// backups do not bring them back. While it goes on, which takes seconds for a thousand photos, nothing can be added to
    /// the library by anybody; a backup that is under way waits for its end.
    /// - Parameters:
    ///   - includingRecent: also what has been in the trash for less than 30 days.
    ///   - confirming: asked once, with what would be deleted; not where that is nothing.
    /// - Throws: `temporarilyUnavailable` while another device is deleting, or may be: up to 40 minutes after one that was
    ///   broken off.
    public func purgeTrash(
        includingRecent: Bool = false, confirming: @Sendable (PurgeReport) async -> Bool
    ) async throws(PhotolalaError) -> PurgeReport {
        let (catalogs, store) = try await openCatalogs()
        guard let store = store as? any ObjectStore & DatedDeletion else {
            throw PhotolalaError(code: .photoStoreFailed, detail: "This photo store cannot delete safely.")
        }
        do {
            let purge = TrashPurge(catalogs, store: store, includesRecent: includingRecent)
            return PurgeReport(try await purge.run { await confirming(PurgeReport($0)) })
        } catch {
            throw PhotolalaError(error)
        }
    }

    private func openTrash() async throws(PhotolalaError) -> PhotoTrash {
        PhotoTrash(try await openCatalogs().catalogs)
    }

    private func openCatalogs() async throws(PhotolalaError) -> (catalogs: CatalogStore, store: any ObjectStore) {
        let (user, store) = try await open(for: .looking)
        let device = try await session.catalogTag()
        return (CatalogStore(store: store, user: user, device: device, cache: cache(user), pause: pause), store)
    }
}

/// What went to the trash, or came out of it.
public struct TrashReport: Sendable, Codable, Equatable {
    /// Whether it was done.
    public let isDone: Bool
    /// Files, with those that belong to what was meant.
    public let files: Int
    /// Their bytes.
    public let bytes: Int64
    /// Files among them that were not meant themselves, but belong to one that was: the other half of a Live Photo, an
    /// edit, a sidecar.
    public let companionFiles: Int
    /// Photos that came back to a path that another one has by now.
    public let keptBeside: [KeptBeside]
    /// Photos that the store does not have any more, so that they stay in the trash.
    public let gone: [String]
    /// Earlier versions of the same paths that stay in the trash, because only the latest of each was meant.
    public let otherVersions: Int

    init(_ summary: TrashSummary, isDone: Bool) {
        self.isDone = isDone
        files = summary.files
        bytes = summary.bytes
        companionFiles = summary.companionFiles
        otherVersions = summary.otherVersions
        gone = summary.gone.map(\.description)
        keptBeside = summary.conflicts.map {
            KeptBeside(path: $0.path.description, beside: $0.keptBeside.description)
        }
    }
}

/// Which of several versions in the trash are meant that have one path: an edit puts the photo that it replaces there, under
/// the same name.
public enum TrashVersionChoice: Sendable, Equatable {
    /// Of each path the one that went to the trash last.
    case latest
    case all
    /// Those whose MD5 begins with one of these texts of 4 to 32 hexadecimal digits.
    case ids([String])

    /// Whether a text can be the beginning of an id.
    public static func isID(_ text: String) -> Bool {
        (4...32).contains(text.utf8.count) && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    func checked() throws(PhotolalaError) -> TrashVersions {
        switch self {
        case .latest: return .latest
        case .all: return .all
        case .ids(let ids):
            guard !ids.isEmpty, ids.allSatisfy(Self.isID) else {
                throw PhotolalaError(code: .invalidRequest, detail: "An id has 4 to 32 hexadecimal digits.")
            }
            return .beginning(ids.map { $0.lowercased() })
        }
    }
}
