import ObjectStorage
import PhotoLibrary
import PhotolalaAPI

/// What a person wants to delete from the trash for good.
package enum PurgeChoice: Sendable, Equatable {
    case all
    /// These photos, with what belongs to them.
    case photos(Set<ContentDigest>)

    fileprivate func offer(in catalog: Catalog) -> PurgeOffer {
        switch self {
        case .all: PurgeOffer(nil, in: catalog)
        case .photos(let photos): PurgeOffer(photos, in: catalog)
        }
    }
}

/// What one request of a purge did.
package enum PurgeProgress: Sendable, Equatable {
    /// Nothing was deleted: this is to be confirmed first, because it is not what was confirmed.
    case unconfirmed(PurgeOffer)
    /// All of a round was deleted.
    /// - Parameters:
    ///   - left: contents that are left of what was confirmed.
    ///   - mark: confirms them in the next request.
    case deleted(Int, left: Int, mark: ContentDigest)
    /// - Parameters:
    ///   - failed: contents that could not be deleted, or only in part.
    ///   - isUnfinished: for up to 40 minutes nothing can be added to the library.
    case stopped(deleted: Int, failed: Int, isUnfinished: Bool)
}

extension Services {
    /// The most contents that one request deletes: some thousand requests to the store.
    package static let purgedAtOnce = 500

    /// What would be deleted from the trash now.
    /// - Throws: `reauthenticationRequired`, `storageReadOnly` while the account is being deleted.
    package func offerPurge(_ choice: PurgeChoice, caller: Caller) async throws(FlowError) -> PurgeOffer {
        try checkPurge(caller)
        return try await readLibrary(caller) { catalogs in
            choice.offer(in: try await newest(of: caller, catalogs).catalog)
        }
    }

    /// Deletes from the trash for good, a bounded number of contents in one call, with the person's own storage
    /// credentials.
    /// - Parameter mark: of the offer that the person confirmed, or of what was left of it. Nothing else is deleted.
    /// - Throws: `reauthenticationRequired`, `storageReadOnly` while the account is being deleted, `unavailable` while
    ///   another purge may be under way.
    package func purgeTrash(
        _ choice: PurgeChoice, confirmed mark: ContentDigest, caller: Caller
    ) async throws(FlowError) -> PurgeProgress {
        try checkPurge(caller)
        let store = libraries.stores.store(of: caller.user, try await heldCredentials(caller))
        // Only the beginning reads the library. The rest must come to its end, and waits for no seat.
        let start = try await readLibrary(caller) { catalogs in
            let known = try await catalogs.settled(try await newest(of: caller, catalogs))
            let offer = choice.offer(in: known.catalog)
            let round = Set(offer.contents.prefix(Self.purgedAtOnce))
            let purge = TrashPurge(catalogs, store: store, includesRecent: true)
            guard offer.mark == mark, !round.isEmpty, let begun = try await purge.begin(round, after: known) else {
                return PurgeStart.unconfirmed(choice.offer(in: try await newest(of: caller, catalogs).catalog))
            }
            return .begun(purge, begun, offer)
        }
        switch start {
        case .unconfirmed(let offer): return .unconfirmed(offer)
        case .begun(let purge, let begun, let offer):
            // A client that goes away does not leave the library closed for 40 minutes.
            return Self.progress(await Task { await purge.deleteAndEnd(begun) }.value, of: begun, offer)
        }
    }

    private enum PurgeStart: Sendable {
        case unconfirmed(PurgeOffer)
        case begun(TrashPurge, BegunPurge, PurgeOffer)
    }

    private func checkPurge(_ caller: Caller) throws(FlowError) {
        try requireRecentProof(caller, for: .purgeTrash)
        guard try access(of: caller) != .read else { throw .storageReadOnly }
    }

    private static func progress(
        _ round: PurgeSummary.Round, of begun: BegunPurge, _ offer: PurgeOffer
    ) -> PurgeProgress {
        let count = begun.contents.count
        guard round.deleted == count, round.stopped == nil else {
            return .stopped(
                deleted: round.deleted, failed: round.failed,
                isUnfinished: round.unknown > 0 || round.stopped != nil)
        }
        return .deleted(count, left: offer.contents.count - count, mark: offer.mark(without: begun.contents))
    }
}
