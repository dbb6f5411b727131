import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The result of requesting one photo from the archive.
package enum PhotoRetrieval: Sendable, Equatable {
    case underWay
    case readable
    /// The archive does not offer this speed, or not at this time.
    case speedUnavailable
    /// The store refused the request.
    /// - Parameter isLimited: Whether the account may not write photos now.
    case denied(isLimited: Bool)
}

/// The photos of a person that are in an archive of the store.
extension LibraryService {
    /// How long a photo that was readable counts as readable, in seconds.
    private static let readableLifetime: TimeInterval = 60

    /// Whether the store may have archives.
    package func hasArchives(_ caller: Caller) async throws(ServiceError) -> Bool {
        try await archive(of: caller) != nil
    }

    /// Returns whether a photo can be read: one HEAD in a store with archives, unless this instance knows it from the
    /// last minute, and no request in others. A missing photo counts as readable, and so does one about which the store
    /// refuses to answer: then the response to the browser's own request tells more.
    package func archiveState(of photo: ContentDigest, caller: Caller) async throws(ServiceError) -> ArchiveState {
        guard let archive = try await archive(of: caller) else { return .readable }
        let key = Self.key(of: photo, caller)
        if libraries.readable.contains(key, at: now()) { return .readable }
        let state: ArchiveState
        do {
            state = try await archive.archiveState(key) ?? .readable
        } catch {
            guard case .denied = error else { throw ServiceError(error) }
            state = .readable
        }
        if state == .readable { libraries.readable.insert(key, until: now().addingTimeInterval(Self.readableLifetime)) }
        return state
    }

    /// Requests a photo from the archive, with the person's own storage credentials.
    package func requestRetrieval(
        of photo: ContentDigest, _ request: RetrievalRequest, caller: Caller
    ) async throws(ServiceError) -> PhotoRetrieval {
        guard let archive = try await archive(of: caller) else { return .readable }
        do {
            return switch try await archive.restoreFromArchive(Self.key(of: photo, caller), request) {
            case .started, .inProgress: .underWay
            case .available: .readable
            case .tierUnavailable: .speedUnavailable
            case nil: throw ServiceError.notFound
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            guard case ObjectStoreError.denied = error else { throw ServiceError(error) }
            return .denied(isLimited: try isLimited(caller))
        }
    }

    /// Requests the archived photos among the given ones and the files that belong to them.
    /// - Parameter request: How to request them; `nil` only estimates time and cost.
    package func recall(
        _ photos: Set<ContentDigest>, _ request: RetrievalRequest?, caller: Caller
    ) async throws(ServiceError) -> RecallSummary {
        // A selection without contents would mean all photos.
        guard !photos.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        var selection = PhotoSelection()
        selection.contents = photos
        let wanted = selection
        // Only the catalog needs a seat.
        let (recall, plan) = try await readLibrary(caller) { catalogs in
            let recall = PhotoRecall(catalogs, known: try await newestVersion(of: caller, catalogs))
            return (recall, try await recall.plan(wanted))
        }
        let summary = try await mapServiceErrors { try await recall.run(plan, request) }
        switch summary.ending {
        case .completed, .stopped(.denied): return summary
        case .cancelled: throw .unavailable("cancelled")
        case .stopped(let error): throw ServiceError(error)
        }
    }

    /// Whether the account may not write photos now: it is over its limit, or its deletion is scheduled.
    package func isLimited(_ caller: Caller) throws(ServiceError) -> Bool {
        try storageAccess.access(of: caller) != .readWrite
    }

    private func archive(of caller: Caller) async throws(ServiceError) -> (any ArchiveRetrieval)? {
        libraries.stores.store(of: caller.user, try await storageAccess.cachedCredentials(caller))
            as? any ArchiveRetrieval
    }

    private static func key(of photo: ContentDigest, _ caller: Caller) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(caller.user, md5: photo.description))
    }
}
