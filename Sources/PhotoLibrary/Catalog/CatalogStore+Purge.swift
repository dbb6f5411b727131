import Foundation

/// A purge that has begun. Until it is over nobody adds anything.
package struct BegunPurge: Sendable {
    /// What the catalog said of these contents when it began.
    let catalog: Catalog
    let purge: CatalogPurge
    /// What is to be deleted.
    package let contents: [ContentDigest]
    /// No request to delete may be signed from then on, by the store's clock.
    let deadline: Date
}

extension CatalogStore {
    /// So long deletions may be asked for.
    private static let purging: TimeInterval = 1200
    /// A store takes a request for a quarter of an hour from the date that it was signed with, and as long before it. With
    /// that much again for nothing, no request arrives later.
    private static let arriving: TimeInterval = 1200

    /// In seconds.
    private static let wrongClock: Int64 = 86_400

    /// Begins to delete what has been long enough in the trash, unless there is nothing. Who finds out that a purge has
    /// broken off ends it first.
    /// - Parameters:
    ///   - wanted: nothing else is deleted.
    ///   - known: the catalog as it was read last, to read only what is new.
    /// - Throws: `purging` while another one is under way.
    func beginPurge(
        olderThan age: TimeInterval, among wanted: Set<ContentDigest>, after known: Version? = nil
    ) async throws(CatalogError) -> BegunPurge? {
        _ = try await settled(try await head())
        var tried: [BegunPurge] = []
        for attempt in 1...Self.attempts {
            let version = if let known { try await newest(after: known) } else { try await load() }
            // A lost answer may have been to one of these.
            if let begun = tried.first(where: { $0.purge == version.head.file.purge }) { return begun }
            guard version.head.file.purge?.until == nil else { throw .purging }
            guard let (contents, now) = try await purgeable(version, olderThan: age) else { return nil }
            let chosen = contents.filter(wanted.contains)
            guard !chosen.isEmpty else { return nil }
            let until = now + Self.purging + Self.arriving
            let begun = BegunPurge(
                catalog: version.catalog.restricted(to: Set(chosen)),
                purge: CatalogPurge(id: newOrigin(), until: Timestamp(seconds: until)),
                contents: chosen, deadline: now + Self.purging)
            // Only onto what was read: what somebody has taken out of the trash since is not deleted.
            if try await point(over: version.head, begun.purge, line: version.head.origin) != nil { return begun }
            tried.append(begun)
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// What has been in the trash for so many seconds, and the time by the store's clock; `nil` for an empty trash.
    func purgeable(
        _ version: Version, olderThan age: TimeInterval
    ) async throws(CatalogError) -> (contents: [ContentDigest], now: Date)? {
        guard !version.catalog.trash.isEmpty else { return nil }
        let now = try await storeTime(over: version.head)
        return (version.catalog.purgeable(before: now - age), now)
    }

    /// Says what was deleted, so that it can never be taken out of the trash, and ends the purge: every device looks again
    /// at what it takes for stored.
    /// - Parameter isOver: whether nothing of it can arrive any more; else it stays under way.
    /// - Throws: `purging` when others took it for broken off and ended it.
    func endPurge(_ begun: BegunPurge, deleted: Set<ContentDigest>, isOver: Bool) async throws(CatalogError) {
        let rows = begun.catalog.purged(deleted)
        let line = newOrigin()
        for attempt in 1...Self.attempts {
            let base = try await head()
            // A lost answer may have been to this.
            if isOver, base.origin == line { return }
            guard base.file.purge == begun.purge else { throw .purging }
            let said = CatalogPurge(id: begun.purge.id, until: isOver ? nil : begun.purge.until)
            if try await point(over: base, said, line: isOver ? line : base.origin, with: rows) != nil { return }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// The same head, but for a purge that broke off: that is ended, once nothing of it can arrive any more. What it has
    /// deleted is not told then; it stays in the trash, cannot be taken out, and the next purge deletes it again.
    /// - Throws: `purging` while one may be under way.
    func settled(_ head: CatalogHead) async throws(CatalogError) -> CatalogHead {
        var base = head
        for attempt in 1...Self.attempts {
            guard let purge = base.file.purge, let until = purge.until else { return base }
            let now = try await storeTime(over: base)
            guard Timestamp(seconds: now) > until else {
                // The store's clock was ahead when it was said: from now on it counts by the right one. A clock that is off
                // for a moment, as one node's of many, does not make it end early.
                let last = Timestamp(seconds: now + Self.purging + Self.arriving)
                if base.snapshot != nil, until.seconds - last.seconds > Self.wrongClock {
                    _ = try await point(over: base, .init(id: purge.id, until: last), line: base.origin)
                }
                throw .purging
            }
            if base.snapshot == nil {
                base = try await mendedInTime(with: try await salvage(), over: base.pointer).version.head
            }
            let over = CatalogPurge(id: base.file.purge?.id ?? purge.id, until: nil)
            if let settled = try await point(over: base, over, line: newOrigin()) { return settled }
            await pause.wait(attempt: attempt)
            base = try await self.head()
        }
        throw .contended
    }

    /// So often it is asked whether a purge is over: with the longest waits of some seconds, for some minutes.
    private static let questions = 100

    /// Waits while a purge is under way.
    /// - Returns: whether it is over; one that broke off is so later.
    /// - Throws: what no waiting mends.
    func waitForPurge() async throws(CatalogError) -> Bool {
        for question in 1...Self.questions {
            do throws(CatalogError) {
                if try await head().file.purge?.until == nil { return true }
            } catch {
                guard case .store(.unavailable) = error else { throw error }
            }
            guard !Task.isCancelled else { return false }
            await pause.wait(attempt: question)
        }
        return false
    }

    /// Moves the pointer to what was read with another word about purges; `nil` when others were faster. A lost answer
    /// to this counts as that, too: who asks again finds out.
    private func point(
        over base: CatalogHead, _ purge: CatalogPurge, line: ContentDigest, with rows: Catalog = Catalog()
    ) async throws(CatalogError) -> CatalogHead? {
        var file = base.file
        file.purge = purge
        let changed = CatalogHead(snapshot: base.snapshot, pointer: base.pointer, file: file, origin: line)
        let plan = await plan(rows, onto: changed)
        guard try await writeFiles(of: plan) != nil else { return nil }
        return try await point(to: plan, over: changed)
    }
}

extension Catalog {
    /// Contents that stand in the library.
    var aliveContents: Set<ContentDigest> { Set(records.lazy.filter(\.isAlive).map(\.md5)) }

    /// Contents that somebody put into the trash, whatever became of that.
    var contentsEverInTrash: Set<ContentDigest> {
        Set(records.lazy.filter { $0.trashed > 0 || $0.trashChanged.counter > 0 }.map(\.md5))
    }

    /// The same without what says that some contents stand in the library.
    func withoutAlive(_ contents: Set<ContentDigest>) -> Catalog {
        var rest = Catalog()
        (rest.types, rest.unreadDates) = (types, unreadDates)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where !record.isAlive || !contents.contains(record.md5) {
                rest.append(record, paths[index])
            }
        }
        return rest
    }

    /// The same with nothing but some contents.
    func restricted(to contents: Set<ContentDigest>) -> Catalog {
        var rest = Catalog()
        (rest.types, rest.unreadDates) = (types, unreadDates)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where contents.contains(record.md5) {
                rest.append(record, paths[index])
            }
        }
        return rest
    }

    /// Contents that were deleted from the trash for good, at whichever path.
    var purgedContents: Set<ContentDigest> { Set(records.lazy.filter(\.isPurged).map(\.md5)) }

    /// Contents that are nowhere but in the trash, and went there before a moment.
    func purgeable(before moment: Date) -> [ContentDigest] {
        let end = UInt32(min(max(moment.timeIntervalSince1970, 0), Double(CatalogRecord.purged - 1)))
        var contents: Set<ContentDigest> = []
        for record in records where record.isInTrash && record.trashed < end { contents.insert(record.md5) }
        for record in records {
            let isOver = record.isPurged || (record.isInTrash && record.trashed < end)
            if !isOver { contents.remove(record.md5) }
        }
        return contents.sorted()
    }

    /// What is to be said of contents that were deleted: that they are gone from the trash, wherever they are in it.
    func purged(_ contents: Set<ContentDigest>) -> Catalog {
        var said = Catalog()
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where contents.contains(record.md5) {
                guard record.trashed > 0, !record.isPurged else { continue }
                var gone = CatalogRecord()
                gone.md5 = record.md5
                (gone.trashed, gone.trashChanged) = (CatalogRecord.purged, record.trashChanged)
                said.append(gone, paths[index])
            }
        }
        return said
    }
}

extension Timestamp {
    /// The first whole second that is not before a moment.
    init(seconds date: Date) {
        self.init(seconds: Int64(date.timeIntervalSince1970.rounded(.up)), nanoseconds: 0)
    }
}
