import Foundation
import ObjectStorage
import PhotolalaAPI

/// The permanent deletion of contents that have been in the trash long enough; see docs/account-protocol.md, "Purge of
/// the trash".
package struct TrashPurge: Sendable {
    /// The outcome for one content.
    private enum Outcome {
        case deleted
        /// The content, or an object that belongs to it, was not deleted.
        case failed
        /// The outcome of a request is unknown.
        case unknown
    }

    static let age = TimeInterval(PhotoTrash.days) * 86_400
    private let catalogs: CatalogStore
    private let store: any ObjectStore & DatedDeletion
    private let contentsAtOnce: Int
    private let age: TimeInterval

    /// - Parameters:
    ///   - store: The store of `catalogs`.
    ///   - includesRecent: Whether contents that were just moved to the trash are deleted, too.
    ///   - contentsAtOnce: The number of contents deleted between the begin and the end of a purge, while other writers
    ///     wait.
    package init(
        _ catalogs: CatalogStore, store: any ObjectStore & DatedDeletion, includesRecent: Bool = false,
        contentsAtOnce: Int = 1000
    ) {
        (self.catalogs, self.store, self.contentsAtOnce) = (catalogs, store, contentsAtOnce)
        // A trash date may be later than now, because dates include an allowance.
        age = includesRecent ? -.infinity : Self.age
    }

    /// Deletes photos permanently, with their thumbnails and previews, and with metadata in the legacy layout.
    /// - Parameters:
    ///   - selected: The only contents to delete; `nil` for everything in the trash.
    ///   - isWanted: Confirms the purge; called once with the expired contents, unless there are none. Nothing else is
    ///     deleted.
    /// - Throws: `purging` while another purge may be under way.
    package func run(
        _ selected: Set<ContentDigest>? = nil, isWanted: (PurgeSummary) async -> Bool
    ) async throws(CatalogError) -> PurgeSummary {
        let version = try await catalogs.load(try await catalogs.endingAbandonedPurge(try await catalogs.head()))
        let found = try await catalogs.purgeable(version, olderThan: age)?.contents ?? []
        let contents = selected.map { found.filter($0.contains) } ?? found
        var summary = PurgeSummary(contents, of: selected, in: version.catalog)
        guard !contents.isEmpty, await isWanted(summary) else { return summary }
        var remaining = contents[...]
        while !remaining.isEmpty, !Task.isCancelled, !summary.isUnderWay, summary.stopped == nil {
            let some = Set(remaining.prefix(contentsAtOnce))
            do throws(CatalogError) {
                guard let begun = try await catalogs.beginPurge(olderThan: age, among: some) else {
                    remaining = remaining.dropFirst(contentsAtOnce)
                    continue
                }
                // A purge that has begun is completed even after a cancellation, which takes some seconds.
                let batch = await Task { await deleteAndEnd(begun) }.value
                summary.add(batch)
                if batch.stopped == nil { remaining = remaining.dropFirst(contentsAtOnce) }
            } catch {
                // Contents deleted before the error are still reported.
                guard summary.isBegun else { throw error }
                summary.stopped = error
            }
        }
        summary.isDone = remaining.isEmpty && !summary.isUnderWay
        return summary
    }

    /// Begins a purge of contents that exist only in the trash. Until it ends, nothing can be added to the library.
    /// - Parameter known: The last catalog that was read, so that only what is new is read.
    /// - Returns: `nil` if none of the contents can be deleted any more.
    /// - Throws: `purging` while another purge may be under way.
    package func begin(
        _ contents: Set<ContentDigest>, after known: CatalogStore.Version
    ) async throws(CatalogError) -> BegunPurge? {
        try await catalogs.beginPurge(olderThan: age, among: contents, after: known)
    }

    /// Deletes the contents of a purge, and ends it.
    package func deleteAndEnd(_ begun: BegunPurge) async -> PurgeSummary.Batch {
        let outcomes = await CatalogStore.concurrentMap(begun.contents) { md5 in
            await delete(md5, before: begun.deadline)
        }
        let deleted = Set(outcomes.filter { $0.1 == .deleted }.map(\.0))
        // A request with an unknown outcome may still arrive; until it no longer can, nothing may be added.
        let unknown = outcomes.count { $0.1 == .unknown }
        var batch = PurgeSummary.Batch(
            deleted: deleted, failed: outcomes.count - deleted.count - unknown, unknown: unknown)
        do throws(CatalogError) {
            try await catalogs.endPurge(begun, deleted: deleted, isOver: unknown == 0)
        } catch {
            batch.stopped = error
        }
        return batch
    }

    /// Deletes the photo last, so that no thumbnail or preview remains without its photo. An interrupted purge may leave
    /// a photo in the trash without them.
    private func delete(_ md5: ContentDigest, before deadline: Date) async -> Outcome {
        let (user, name) = (catalogs.user, md5.description)
        let belonging = [
            StorageLayout.preview(user, md5: name), StorageLayout.thumbnail(user, md5: name),
            "\(StorageLayout.metadata(user))\(name).plist",
        ]
        for key in belonging {
            let outcome = await delete(ObjectKey(known: key), before: deadline)
            guard outcome == .deleted else { return outcome }
        }
        return await delete(ObjectKey(known: StorageLayout.photo(user, md5: name)), before: deadline)
    }

    /// Deletes an object. After a lost response, which is not unusual among thousands, one more request checks it: an
    /// object that existed and is gone was deleted. For a missing object no request is sent that could arrive later.
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

/// The scope and the results of a purge.
package struct PurgeSummary: Sendable, Equatable {
    /// Whether the purge was confirmed and completed.
    package fileprivate(set) var isDone = false
    /// Files in the trash whose retention time is over.
    package private(set) var files = 0
    /// Their distinct contents, and the size of these in bytes.
    package private(set) var contents = 0
    package private(set) var bytes: Int64 = 0
    /// Selected contents that are not deleted because the library also has them outside the trash.
    package private(set) var kept = 0
    /// Selected contents that are not deleted because they have not been in the trash long enough, at every path.
    package private(set) var recent = 0
    /// Contents that were deleted.
    package private(set) var deleted = 0
    /// Contents that were not deleted.
    package private(set) var failed = 0
    /// Contents for which the response was lost. Nothing can be added to the library until no request can arrive any
    /// more, which takes 40 minutes.
    package private(set) var unknown = 0
    /// The reason why the purge was not completed.
    package fileprivate(set) var stopped: CatalogError?

    /// The results for some of the contents.
    package struct Batch: Sendable {
        package let deleted: Set<ContentDigest>
        package let failed: Int
        package let unknown: Int
        /// The error because of which the purge could not be ended; it then remains under way.
        package var stopped: CatalogError?
    }

    package var isUnderWay: Bool { unknown > 0 }
    var isBegun: Bool { deleted + failed + unknown > 0 }

    mutating func add(_ batch: Batch) {
        deleted += batch.deleted.count
        failed += batch.failed
        unknown += batch.unknown
        stopped = batch.stopped
    }

    init(_ contents: [ContentDigest], of selected: Set<ContentDigest>?, in catalog: Catalog) {
        let wanted = Set(contents)
        self.contents = contents.count
        if let selected {
            kept = catalog.presentContents(selected).count
            recent = selected.count - kept - contents.count
        } else {
            kept = catalog.presentContents(Set(catalog.records.lazy.filter(\.isInTrash).map(\.md5))).count
        }
        for record in catalog.records where record.isInTrash && wanted.contains(record.md5) { files += 1 }
        bytes = catalog.contentsWithTrash.lazy.filter { wanted.contains($0.md5) }
            .reduce(0) { $0.addingCapped($1.size) }
    }
}
