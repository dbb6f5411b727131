import PhotoCatalog

/// The photos to delete from the trash permanently.
package enum PurgeChoice: Sendable, Equatable {
    case all
    /// These photos with their related files.
    case photos(Set<ContentDigest>)

    fileprivate func offer(in catalog: Catalog) -> PurgeOffer {
        switch self {
        case .all: PurgeOffer(nil, in: catalog)
        case .photos(let photos): PurgeOffer(photos, in: catalog)
        }
    }
}

/// The result of one purge request.
package enum PurgeProgress: Sendable, Equatable {
    /// Nothing was deleted: the trash differs from what the user confirmed, so this offer must be confirmed first.
    case unconfirmed(PurgeOffer)
    /// All contents of this batch were deleted.
    /// - Parameters:
    ///   - photos: the number of photos among them.
    ///   - left: the number of confirmed photos that remain.
    ///   - digest: confirms the remaining contents in the next request; `nil` if none remain.
    case deleted(photos: Int, left: Int, digest: ContentDigest?)
    /// - Parameters:
    ///   - deleted: the number of deleted photos.
    ///   - failed: the number of contents that could not be deleted completely.
    ///   - isUnfinished: whether additions to the library are blocked for up to 40 minutes.
    case stopped(deleted: Int, failed: Int, isUnfinished: Bool)
}

extension LibraryService {
    /// The most contents that one request deletes: some thousand store requests.
    package static let purgeBatchSize = 500

    /// Returns what a purge would delete now.
    /// - Throws: `reauthenticationRequired`; `storageReadOnly` while the account is being deleted.
    package func preparePurge(_ choice: PurgeChoice, caller: Caller) async throws(ServiceError) -> PurgeOffer {
        try checkPurge(caller)
        return try await readLibrary(caller) { catalogs in
            choice.offer(in: try await newestVersion(of: caller, catalogs).catalog)
        }
    }

    /// Deletes from the trash permanently, a bounded number of contents in each call, with the user's own storage
    /// credentials.
    /// - Parameter mark: the mark of the confirmed offer, or of what remained of it. Nothing else is deleted.
    /// - Throws: `reauthenticationRequired`; `storageReadOnly` while the account is being deleted; `unavailable` while
    ///   another purge may be running.
    package func purgeTrash(
        _ choice: PurgeChoice, confirmed digest: ContentDigest, caller: Caller
    ) async throws(ServiceError) -> PurgeProgress {
        try checkPurge(caller)
        let store = libraries.stores.store(of: caller.user, try await storageAccess.cachedCredentials(caller))
        // Only the start reads the library and needs a seat. The rest must complete and waits for none.
        let start = try await readLibrary(caller) { catalogs in
            let known = try await catalogs.endingAbandonedPurge(try await newestVersion(of: caller, catalogs))
            let offer = choice.offer(in: known.catalog)
            let batch = Set(offer.contents.prefix(Self.purgeBatchSize))
            let purge = TrashPurge(catalogs, store: store, includesRecent: true)
            guard offer.contentsID == digest, !batch.isEmpty, let begun = try await purge.begin(batch, after: known)
            else {
                return PurgeStart.unconfirmed(choice.offer(in: try await newestVersion(of: caller, catalogs).catalog))
            }
            return .started(purge, begun, offer)
        }
        switch start {
        case .unconfirmed(let offer): return .unconfirmed(offer)
        case .started(let purge, let begun, let offer):
            // An unstructured task: a client that disconnects must not leave the library blocked for 40 minutes.
            return Self.progress(await Task { await purge.deleteAndEnd(begun) }.value, of: begun, offer)
        }
    }

    private enum PurgeStart: Sendable {
        case unconfirmed(PurgeOffer)
        case started(TrashPurge, BegunPurge, PurgeOffer)
    }

    private func checkPurge(_ caller: Caller) throws(ServiceError) {
        try sensitiveActions.requireRecentAuthentication(caller, for: .purgeTrash)
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
    }

    private static func progress(
        _ batch: PurgeSummary.Batch, of begun: BegunPurge, _ offer: PurgeOffer
    ) -> PurgeProgress {
        let photos = offer.photoCount(among: batch.deleted)
        guard batch.deleted.count == begun.contents.count, batch.stopped == nil else {
            return .stopped(
                deleted: photos, failed: batch.failed, isUnfinished: batch.unknown > 0 || batch.stopped != nil)
        }
        let isDone = begun.contents.count == offer.contents.count
        return .deleted(
            photos: photos, left: offer.photoCount - photos,
            digest: isDone ? nil : offer.contentsID(without: begun.contents))
    }
}
