import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// The result of a commit to a loaded catalog.
    package struct CommitResult: Sendable {
        package let version: Version
        /// The catalog that the changes were applied to.
        package let before: Catalog
        package let conflicts: [CatalogConflict]
    }

    /// Commits changes to the newest catalog. Drops no-op changes; writes nothing if none remain.
    package func commit(
        _ changes: [CatalogChange], onto version: Version
    ) async throws(CatalogError) -> CommitResult {
        try await commitResult(try await commitChanges(changes, onto: version), from: version)
    }

    /// Commits changes to the newest catalog without loading it. A few hundred changes transfer less than a megabyte,
    /// regardless of the size of the catalog.
    /// - Returns: The head that the pointer names afterwards.
    package func commit(
        _ changes: [CatalogChange], onto start: CatalogHead
    ) async throws(CatalogError) -> CatalogHead {
        try await commitChanges(changes, onto: start).head
    }

    /// A successful commit, as far as it is known without reading parts.
    package struct PointerUpdate: Sendable {
        /// The head that the pointer names now.
        package let head: CatalogHead
        /// The head that the changes were joined into.
        package let base: CatalogHead
        /// The changes that were made.
        let changes: [CatalogChange]
    }

    /// Commits those changes that have an effect on a loaded catalog.
    package func commitChanges(_ changes: [CatalogChange], onto version: Version) async throws(CatalogError)
        -> PointerUpdate
    {
        let news = version.catalog.effectiveChanges(in: changes)
        // A snapshot without a pointer to it is not committed, even if it contains all changes.
        let isCommitted = version.head.pointer != nil || version.catalog.isEmpty
        if news.isEmpty, isCommitted { return PointerUpdate(head: version.head, base: version.head, changes: []) }
        return try await commitChanges(news, onto: version.head, seen: version.counter)
    }

    /// Returns the result of a commit to a loaded catalog; reads what other devices have committed since.
    package func commitResult(_ moved: PointerUpdate, from version: Version) async throws(CatalogError) -> CommitResult
    {
        let before = try await refreshed(version, to: moved.base)
        let after = try await refreshed(before, to: moved.head)
        return CommitResult(
            version: after, before: before.catalog,
            conflicts: after.catalog.conflicts(made: moved.changes, since: before.catalog))
    }

    /// - Parameter seen: The largest counter that this device has seen outside the snapshot.
    package func commitChanges(
        _ changes: [CatalogChange], onto start: CatalogHead, seen: UInt64 = 0
    ) async throws(CatalogError) -> PointerUpdate {
        let counter = max(start.file.highestCounter, seen)
        let reliesOnStore = changes.contains(where: \.reliesOnStore)
        // Trash dates come from the store's clock and may be up to an hour late, but never early, so that no device's
        // clock shortens the time in the trash.
        var (base, trashed) = (start, Date?.none)
        if changes.contains(where: \.movesToTrash) { trashed = try await trashDate(over: start) }
        for attempt in 1...Self.attempts {
            if reliesOnStore { try requireNoPurge(base, since: start) }
            // A catalog salvaged during a purge may contain contents that the purge deletes.
            if base.snapshot == nil { base = try await endingAbandonedPurge(base) }
            let changed = Catalog(changes, after: counter, by: device, trashed: trashed.map(Self.seconds) ?? 0)
            if base.pointer != nil, base.file.rows.joined(with: changed) == base.file.rows {
                return PointerUpdate(head: base, base: base, changes: changes)
            }
            let plan = await plan(changed, onto: base)
            let written = try await writeFiles(of: plan)
            if let written, let date = trashed, !Self.isTrashDate(date, of: written) {
                trashed = written + Self.dateSlack
                continue
            }
            if written != nil, let head = try await updatePointer(to: plan, over: base) {
                return PointerUpdate(head: head, base: base, changes: changes)
            }
            await pause.wait(attempt: attempt)
            let head = try await head()
            // The lost response may have been for this snapshot.
            if head.isCommitted(plan) { return PointerUpdate(head: head, base: base, changes: changes) }
            base = head
        }
        throw .contended
    }

    /// Throws `purging` unless contents found stored when the operation began are still stored: since then there was no
    /// purge, and no repair that may have missed one.
    private func requireNoPurge(_ base: CatalogHead, since start: CatalogHead) throws(CatalogError) {
        let mayBegin = start.pointer == nil && (base.pointer == nil || start.file.purge == nil)
        let isOneLine = base.generation == start.generation || mayBegin
        guard base.file.purge == start.file.purge, base.file.purge?.until == nil, isOneLine else { throw .purging }
    }

    /// Returns a date for entries that are about to be moved to the trash. The snapshot is written for this without
    /// these entries, so that an interruption leaves none of them in the trash with a date that is too early.
    private func trashDate(over base: CatalogHead) async throws(CatalogError) -> Date {
        try await storeTime(over: base) + Self.dateSlack
    }

    /// Returns the time of the store's clock. Writes the snapshot again to obtain it.
    func storeTime(over base: CatalogHead) async throws(CatalogError) -> Date {
        let plan = await plan(Catalog(), onto: base)
        for attempt in 1...Self.attempts {
            if let written = try await writeFiles(of: plan) { return written }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// The allowance for the date, in seconds, because it is chosen before the time of the write is known. The date of an
    /// entry in the trash is at least the time of its removal, and at most twice the allowance later.
    package static let dateSlack: TimeInterval = 1800

    private static func isTrashDate(_ date: Date, of written: Date) -> Bool {
        (0...2 * dateSlack).contains(date.timeIntervalSince(written))
    }

    private static func seconds(_ date: Date) -> UInt32 {
        UInt32(min(max(date.timeIntervalSince1970, 1), Double(UInt32.max)))
    }

    /// Writes the files of a plan, without moving the pointer.
    /// - Returns: The time of the write by the store's clock; `nil` if the write must be retried.
    /// - Throws: `full` for a catalog that is close to the size at which it can no longer be read.
    func writeFiles(of plan: CatalogPlan) async throws(CatalogError) -> Date? {
        guard plan.catalogBytes <= sizes.catalog else { throw .full }
        do {
            for part in plan.parts { _ = try await write(part.bytes, as: part.digest) }
            return try await write(plan.bytes, as: plan.snapshot)
        } catch {
            guard error.mayHaveSucceeded else { throw .store(error) }
            return nil
        }
    }

    /// Moves the pointer to a written snapshot; returns `nil` if the pointer is not the one that was read, or the
    /// outcome is unknown.
    func updatePointer(
        to plan: CatalogPlan, over base: CatalogHead
    ) async throws(CatalogError) -> CatalogHead? {
        let pointer: ETag
        do {
            pointer = try await store.put(
                ObjectKey(known: StorageLayout.catalogPointer(user)), ByteBuffer(string: plan.snapshot.description),
                if: base.pointer.map { .matches($0) } ?? .absent
            )
        } catch {
            // After a lost response the pointer may already name this snapshot; the caller reads it again.
            guard error.mayHaveSucceeded else { throw .store(error) }
            return nil
        }
        await updateCache(to: plan, over: base)
        return CatalogHead(snapshot: plan.snapshot, pointer: pointer, file: plan.file, generation: base.generation)
    }

    /// Caches the new files and removes superseded ones. A complete copy of the catalog stays complete: it becomes the new
    /// version if it was of the old one, otherwise its files are kept.
    private func updateCache(to plan: CatalogPlan, over base: CatalogHead) async {
        guard let cache else { return }
        for (digest, bytes) in plan.parts + [(plan.snapshot, plan.bytes)] { await cache.write(digest, bytes) }
        var named = Set(plan.file.parts.map(\.digest)).union([plan.snapshot])
        if let copy = await cache.read(.pointer).flatMap({ ContentDigest(String(buffer: $0)) }) {
            if copy == base.snapshot {
                await cache.write(.pointer, ByteBuffer(string: plan.snapshot.description))
            } else if let file = await cache.read(copy).flatMap({ try? CatalogCSV.decode($0) }) {
                named.formUnion(file.parts.map(\.digest) + [copy])
            }
        }
        let before = base.file.parts.map(\.digest) + (base.snapshot.map { [$0] } ?? [])
        await cache.remove(before.filter { !named.contains($0) })
    }
}

extension ObjectStoreError {
    /// Whether the store must be read before a retry.
    fileprivate var mayHaveSucceeded: Bool {
        switch self {
        case .preconditionFailed, .conflict, .outcomeUnknown: true
        default: false
        }
    }
}

extension CatalogStore.Version {
    /// The largest counter in the catalog. The first change that is committed to it gets the next one.
    var counter: UInt64 { max(head.file.highestCounter, catalog.highestCounter) }
}

extension Catalog {
    package func joined(with other: Catalog) -> Catalog {
        var joined = self
        joined.join(other)
        return joined
    }
}
