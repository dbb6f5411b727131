import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// The outcome of a commit to a catalog that is at hand.
    package struct Committed: Sendable {
        package let version: Version
        /// What the changes were made to.
        let before: Catalog
        package let conflicts: [CatalogConflict]
    }

    /// Brings changes into the newest catalog. What tells nothing new is left out, and nothing is written then.
    package func commit(
        _ changes: [CatalogChange], onto version: Version
    ) async throws(CatalogError) -> Committed {
        try await committed(try await move(changes, onto: version), from: version)
    }

    /// Brings changes into the newest catalog without reading it. A few hundred changes move less than a megabyte,
    /// however large it is.
    /// - Returns: what the pointer names afterwards.
    package func commit(
        _ changes: [CatalogChange], onto start: CatalogHead
    ) async throws(CatalogError) -> CatalogHead {
        try await move(changes, onto: start).head
    }

    /// A commit that went through, as far as it is known without reading parts.
    struct Moved: Sendable {
        /// What the pointer names now.
        let head: CatalogHead
        /// What the changes were joined into.
        let base: CatalogHead
        /// The changes that were made.
        let changes: [CatalogChange]
    }

    /// Commits what is news to a catalog that is at hand.
    func move(_ changes: [CatalogChange], onto version: Version) async throws(CatalogError) -> Moved {
        let news = version.catalog.news(in: changes)
        // A snapshot that nothing points at is not committed, even if it holds all changes.
        let isCommitted = version.head.pointer != nil || version.catalog.isEmpty
        if news.isEmpty, isCommitted { return Moved(head: version.head, base: version.head, changes: []) }
        return try await move(news, onto: version.head, seen: version.catalog.highestCounter)
    }

    /// What came of a commit to a catalog that is at hand; reads what others have committed since.
    func committed(_ moved: Moved, from version: Version) async throws(CatalogError) -> Committed {
        let before = try await refreshed(version, to: moved.base)
        let after = try await refreshed(before, to: moved.head)
        return Committed(
            version: after, before: before.catalog,
            conflicts: after.catalog.conflicts(made: moved.changes, since: before.catalog))
    }

    /// - Parameter seen: the largest counter that this device has seen besides the snapshot's.
    func move(
        _ changes: [CatalogChange], onto start: CatalogHead, seen: UInt64 = 0
    ) async throws(CatalogError) -> Moved {
        let counter = max(start.file.highestCounter, seen)
        let reliesOnStore = changes.contains(where: \.reliesOnStore)
        // What goes to the trash is dated by the store's clock, up to an hour late and never early: nobody's clock lets it
        // leave before its time.
        var (base, trashed) = (start, Date?.none)
        if changes.contains(where: \.putsIntoTrash) { trashed = try await date(over: start) }
        for attempt in 1...Self.attempts {
            if reliesOnStore { try check(base, since: start) }
            // What was salvaged beside a purge may hold what that deletes.
            if base.snapshot == nil { base = try await settled(base) }
            let changed = Catalog(changes, after: counter, by: device, trashed: trashed.map(Self.seconds) ?? 0)
            if base.pointer != nil, base.file.rows.joined(with: changed) == base.file.rows {
                return Moved(head: base, base: base, changes: changes)
            }
            let plan = await plan(changed, onto: base)
            let written = try await writeFiles(of: plan)
            if let written, let date = trashed, !Self.isDate(date, of: written) {
                trashed = written + Self.dateSlack
                continue
            }
            if written != nil, let head = try await point(to: plan, over: base) {
                return Moved(head: head, base: base, changes: changes)
            }
            await pause.wait(attempt: attempt)
            let head = try await head()
            // A lost answer may have been to this.
            if head.isCommitted(plan) { return Moved(head: head, base: base, changes: changes) }
            base = head
        }
        throw .contended
    }

    /// What was found stored when the act began is stored still, unless there was a purge, or a repair that may not have
    /// seen one.
    private func check(_ base: CatalogHead, since start: CatalogHead) throws(CatalogError) {
        let mayBegin = start.pointer == nil && (base.pointer == nil || start.file.purge == nil)
        let isOneLine = base.origin == start.origin || mayBegin
        guard base.file.purge == start.file.purge, base.file.purge?.until == nil, isOneLine else { throw .purging }
    }

    /// A date for what is about to go to the trash. The store is written to for it, but without what goes there: should
    /// no more than this come to pass, nothing has gone there, and nothing stands anywhere with a date that is too early.
    private func date(over base: CatalogHead) async throws(CatalogError) -> Date {
        try await storeTime(over: base) + Self.dateSlack
    }

    /// What the store's clock shows. The snapshot is written again for it.
    func storeTime(over base: CatalogHead) async throws(CatalogError) -> Date {
        let plan = await plan(Catalog(), onto: base)
        for attempt in 1...Self.attempts {
            if let written = try await writeFiles(of: plan) { return written }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// The date is told before the time of writing is known.
    private static let dateSlack: TimeInterval = 1800

    private static func isDate(_ date: Date, of written: Date) -> Bool {
        (0...2 * dateSlack).contains(date.timeIntervalSince(written))
    }

    private static func seconds(_ date: Date) -> UInt32 {
        UInt32(min(max(date.timeIntervalSince1970, 1), Double(UInt32.max)))
    }

    /// Writes what a plan says, but for the pointer. Gives when, by the store's clock; `nil` when it is to be tried again.
    /// - Throws: `full` for a catalog so large that it could soon not be read any more.
    func writeFiles(of plan: CatalogPlan) async throws(CatalogError) -> Date? {
        guard plan.catalogBytes <= sizes.catalog else { throw .full }
        do {
            for part in plan.parts { _ = try await write(part.bytes, as: part.digest) }
            return try await write(plan.bytes, as: plan.snapshot)
        } catch {
            guard error.mayHaveHappened else { throw .store(error) }
            return nil
        }
    }

    /// Moves the pointer to a snapshot that is written; `nil` when it was not the one that was read.
    func point(
        to plan: CatalogPlan, over base: CatalogHead
    ) async throws(CatalogError) -> CatalogHead? {
        let pointer: ETag
        do {
            pointer = try await store.put(
                ObjectKey(known: StorageLayout.catalogPointer(user)), ByteBuffer(string: plan.snapshot.description),
                if: base.pointer.map { .matches($0) } ?? .absent
            )
        } catch {
            // After a lost answer the pointer may be ours already: reading it again tells.
            guard error.mayHaveHappened else { throw .store(error) }
            return nil
        }
        for (digest, bytes) in plan.parts + [(plan.snapshot, plan.bytes)] { await cache?.write(digest, bytes) }
        let named = Set(plan.file.parts.map(\.digest)).union([plan.snapshot])
        let before = base.file.parts.map(\.digest) + (base.snapshot.map { [$0] } ?? [])
        await cache?.remove(before.filter { !named.contains($0) })
        return CatalogHead(snapshot: plan.snapshot, pointer: pointer, file: plan.file, origin: base.origin)
    }
}

extension ObjectStoreError {
    /// Whether the store is to be read before it is tried again.
    fileprivate var mayHaveHappened: Bool {
        switch self {
        case .preconditionFailed, .conflict, .outcomeUnknown: true
        default: false
        }
    }
}

extension Catalog {
    func joined(with other: Catalog) -> Catalog {
        var joined = self
        joined.join(other)
        return joined
    }
}
