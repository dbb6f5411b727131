import Foundation
import ObjectStorage
import PhotolalaAPI

/// Deletes from the store what has been in the trash for long enough; docs/account-protocol.md, "Purge of the trash".
package struct TrashPurge: Sendable {
    /// What became of one content.
    private enum Outcome {
        case deleted
        /// Not deleted, or not all that belongs to it.
        case failed
        /// Nobody knows what became of the request.
        case unknown
    }

    static let age = TimeInterval(PhotoTrash.days) * 86_400
    private let catalogs: CatalogStore
    private let store: any ObjectStore & DatedDeletion
    private let contentsAtOnce: Int
    private let age: TimeInterval

    /// - Parameters:
    ///   - store: where `catalogs` is, too.
    ///   - includesRecent: whether also that is deleted which went to the trash a moment ago.
    ///   - contentsAtOnce: between beginning and ending; others wait meanwhile.
    package init(
        _ catalogs: CatalogStore, store: any ObjectStore & DatedDeletion, includesRecent: Bool = false,
        contentsAtOnce: Int = 1000
    ) {
        (self.catalogs, self.store, self.contentsAtOnce) = (catalogs, store, contentsAtOnce)
        // A device whose clock is ahead may have dated an entry later than now.
        age = includesRecent ? -.infinity : Self.age
    }

    /// Deletes photos for good, with their thumbnails and with what was told of them in an older layout.
    /// - Parameter isWanted: asked once, with what is over its time, unless that is nothing. Nothing else is deleted.
    /// - Throws: `purging` while another one may be under way.
    package func run(isWanted: (PurgeSummary) async -> Bool) async throws(CatalogError) -> PurgeSummary {
        let version = try await catalogs.load(try await catalogs.settled(try await catalogs.head()))
        guard let found = try await catalogs.purgeable(version, olderThan: age), !found.contents.isEmpty else {
            return PurgeSummary()
        }
        var summary = PurgeSummary(found.contents, in: version.catalog)
        guard await isWanted(summary) else { return summary }
        var rest = found.contents[...]
        while !rest.isEmpty, !Task.isCancelled, !summary.isUnderWay, summary.stopped == nil {
            let some = Set(rest.prefix(contentsAtOnce))
            do throws(CatalogError) {
                guard let begun = try await catalogs.beginPurge(olderThan: age, among: some) else {
                    rest = rest.dropFirst(contentsAtOnce)
                    continue
                }
                // What has begun is brought to its end: who cancels it waits for some seconds.
                let round = await Task { await deleteAndEnd(begun) }.value
                summary.add(round)
                if round.stopped == nil { rest = rest.dropFirst(contentsAtOnce) }
            } catch {
                // What was deleted before is told all the same.
                guard summary.isBegun else { throw error }
                summary.stopped = error
            }
        }
        summary.isDone = rest.isEmpty && !summary.isUnderWay
        return summary
    }

    /// Begins to delete contents that are nowhere but in the trash. Until it is ended the library takes nothing in.
    /// - Parameter known: the catalog as it was read last, to read only what is new.
    /// - Returns: `nil` where none of them can be deleted any more.
    /// - Throws: `purging` while another one may be under way.
    package func begin(
        _ contents: Set<ContentDigest>, after known: CatalogStore.Version
    ) async throws(CatalogError) -> BegunPurge? {
        try await catalogs.beginPurge(olderThan: age, among: contents, after: known)
    }

    /// Deletes what a purge is about, and ends it.
    package func deleteAndEnd(_ begun: BegunPurge) async -> PurgeSummary.Round {
        let outcomes = await CatalogStore.each(begun.contents) { md5 in await delete(md5, before: begun.deadline) }
        let deleted = Set(outcomes.filter { $0.1 == .deleted }.map(\.0))
        // A request of which nobody knows what became may arrive yet: until it cannot, nobody may add anything.
        let unknown = outcomes.count { $0.1 == .unknown }
        var round = PurgeSummary.Round(
            deleted: deleted.count, failed: outcomes.count - deleted.count - unknown, unknown: unknown)
        do throws(CatalogError) {
            try await catalogs.endPurge(begun, deleted: deleted, isOver: unknown == 0)
        } catch {
            round.stopped = error
        }
        return round
    }

    /// The photo goes last: nothing of what is gone stays behind in small. An interrupted purge may leave a photo in the
    /// trash without its thumbnail.
    private func delete(_ md5: ContentDigest, before deadline: Date) async -> Outcome {
        let (user, name) = (catalogs.user, md5.description)
        for key in [StorageLayout.thumbnail(user, md5: name), "\(StorageLayout.metadata(user))\(name).plist"] {
            let outcome = await delete(ObjectKey(known: key), before: deadline)
            guard outcome == .deleted else { return outcome }
        }
        return await delete(ObjectKey(known: StorageLayout.photo(user, md5: name)), before: deadline)
    }

    /// Where the answer was lost it is asked for once more, for one lost answer among thousands is nothing unusual: what was
    /// there before, and is gone, was deleted. For what was not there nothing is sent, which could arrive later.
    private func delete(_ key: ObjectKey, before deadline: Date) async -> Outcome {
        do throws(ObjectStoreError) {
            guard try await store.head(key) != nil else { return .deleted }
        } catch {
            guard case .corrupted = error else { return .failed }
        }
        do throws(ObjectStoreError) {
            try await store.delete(key, before: deadline)
            return .deleted
        } catch {
            guard case .outcomeUnknown = error else { return .failed }
        }
        do throws(ObjectStoreError) { return try await store.head(key) == nil ? .deleted : .unknown } catch {
            return .unknown
        }
    }
}

/// What a purge is about, and what it did.
package struct PurgeSummary: Sendable, Equatable {
    /// Whether it was wanted, and gone through to its end.
    package fileprivate(set) var isDone = false
    /// Files in the trash that are over their time.
    package private(set) var files = 0
    /// Different contents of them, and their bytes.
    package private(set) var contents = 0
    package private(set) var bytes: Int64 = 0
    /// Contents that were deleted.
    package private(set) var deleted = 0
    /// Contents that were not.
    package private(set) var failed = 0
    /// Contents of which the answer was lost, so that nothing can be added to the library before nothing can arrive any
    /// more: two thirds of an hour.
    package private(set) var unknown = 0
    /// Why it did not come to its end.
    package fileprivate(set) var stopped: CatalogError?

    /// What became of some of the contents.
    package struct Round: Sendable {
        package let deleted: Int
        package let failed: Int
        package let unknown: Int
        /// Why the purge could not be ended: it stays under way then.
        package var stopped: CatalogError?
    }

    package var isUnderWay: Bool { unknown > 0 }
    var isBegun: Bool { deleted + failed + unknown > 0 }

    mutating func add(_ round: Round) {
        deleted += round.deleted
        failed += round.failed
        unknown += round.unknown
        stopped = round.stopped
    }

    init() {}

    init(_ contents: [ContentDigest], in catalog: Catalog) {
        let wanted = Set(contents)
        self.contents = contents.count
        for record in catalog.records where record.isInTrash && wanted.contains(record.md5) { files += 1 }
        bytes = catalog.contentsWithTrash.lazy.filter { wanted.contains($0.md5) }
            .reduce(0) { $0.addingCapped($1.size) }
    }
}
