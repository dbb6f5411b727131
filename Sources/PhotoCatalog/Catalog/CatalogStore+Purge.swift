import Foundation

/// A purge that has begun. No entries can be added until it is over.
package struct BegunPurge: Sendable {
    /// The records of these contents when the purge began.
    let catalog: Catalog
    let purge: CatalogPurge
    /// The contents to delete.
    package let contents: [ContentDigest]
    /// The time by the store's clock after which no deletion request may be signed.
    let deadline: Date
}

extension CatalogStore {
    /// The time in which deletions may be requested, in seconds.
    private static let deletionWindow: TimeInterval = 1200
    /// The time in which a signed request may still arrive, in seconds. A store accepts a request for 15 minutes after
    /// its signature date, and for as long before it; the rest is a margin.
    private static let requestLifetime: TimeInterval = 1200

    /// A deadline that is later than possible by more than this many seconds was set by a wrong clock.
    private static let maximumClockError: Int64 = 86_400

    /// Begins a purge of contents that have been in the trash long enough; returns `nil` if there are none. Ends an
    /// earlier purge that broke off.
    /// - Parameters:
    ///   - wanted: The only contents to delete.
    ///   - known: The last catalog that was read, so that only what is new is read.
    /// - Throws: `purging` while another purge is under way.
    func beginPurge(
        olderThan age: TimeInterval, among wanted: Set<ContentDigest>, after known: Version? = nil
    ) async throws(CatalogError) -> BegunPurge? {
        _ = try await endingAbandonedPurge(try await head())
        var tried: [BegunPurge] = []
        for attempt in 1...Self.attempts {
            let version = if let known { try await newest(after: known) } else { try await load() }
            // The lost response may have been for one of these.
            if let begun = tried.first(where: { $0.purge == version.head.file.purge }) { return begun }
            guard version.head.file.purge?.until == nil else { throw .purging }
            guard let (contents, now) = try await purgeable(version, olderThan: age) else { return nil }
            let chosen = contents.filter(wanted.contains)
            guard !chosen.isEmpty else { return nil }
            let until = now + Self.deletionWindow + Self.requestLifetime
            let begun = BegunPurge(
                catalog: version.catalog.restricted(to: Set(chosen)),
                purge: CatalogPurge(id: newGeneration(), until: Timestamp(seconds: until)),
                contents: chosen, deadline: now + Self.deletionWindow)
            // Commits only onto the catalog that was read, so that entries restored from the trash since are not
            // deleted.
            if try await updatePointer(over: version.head, begun.purge, generation: version.head.generation) != nil {
                return begun
            }
            tried.append(begun)
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// Returns the contents that have been in the trash for the given number of seconds, and the time of the store's
    /// clock; `nil` if the trash is empty.
    func purgeable(
        _ version: Version, olderThan age: TimeInterval
    ) async throws(CatalogError) -> (contents: [ContentDigest], now: Date)? {
        guard !version.catalog.trash.isEmpty else { return nil }
        let now = try await storeTime(over: version.head)
        return (version.catalog.purgeable(before: now - age), now)
    }

    /// Records the deleted contents, so that they cannot be restored from the trash, and ends the purge. All devices
    /// then check again which contents are stored.
    /// - Parameter isOver: Whether no deletion can arrive any more; if not, the purge remains under way.
    /// - Throws: `purging` if another device considered the purge broken off and ended it.
    func endPurge(_ begun: BegunPurge, deleted: Set<ContentDigest>, isOver: Bool) async throws(CatalogError) {
        let rows = begun.catalog.purged(deleted)
        let generation = newGeneration()
        for attempt in 1...Self.attempts {
            let base = try await head()
            // The lost response may have been for this commit.
            if isOver, base.generation == generation { return }
            guard base.file.purge == begun.purge else { throw .purging }
            let purge = CatalogPurge(id: begun.purge.id, until: isOver ? nil : begun.purge.until)
            if try await updatePointer(over: base, purge, generation: isOver ? generation : base.generation, with: rows)
                != nil
            {
                return
            }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// Returns the head after ending a purge that broke off, as soon as none of its deletions can arrive any more. Its
    /// deletions are not recorded: the contents remain in the trash, cannot be restored, and are deleted again by the
    /// next purge.
    /// - Throws: `purging` while a purge may be under way.
    package func endingAbandonedPurge(_ head: CatalogHead) async throws(CatalogError) -> CatalogHead {
        var base = head
        for attempt in 1...Self.attempts {
            guard let purge = base.file.purge, let until = purge.until else { return base }
            let now = try await storeTime(over: base)
            guard Timestamp(seconds: now) > until else {
                // The store's clock was ahead when the deadline was set: the deadline is corrected by the current
                // clock. A transient clock error, such as that of one node of many, does not end the purge early.
                let last = Timestamp(seconds: now + Self.deletionWindow + Self.requestLifetime)
                if base.snapshot != nil, until.seconds - last.seconds > Self.maximumClockError {
                    _ = try await updatePointer(
                        over: base, .init(id: purge.id, until: last), generation: base.generation)
                }
                throw .purging
            }
            if base.snapshot == nil {
                base = try await repairedCatalogAfterPurge(with: try await salvage(), over: base.pointer).version.head
            }
            let over = CatalogPurge(id: base.file.purge?.id ?? purge.id, until: nil)
            if let ended = try await updatePointer(over: base, over, generation: newGeneration()) { return ended }
            await pause.wait(attempt: attempt)
            base = try await self.head()
        }
        throw .contended
    }

    /// The number of times that the end of a purge is checked. With the longest pauses of some seconds, this takes some
    /// minutes.
    private static let purgePollLimit = 100

    /// Waits while a purge is under way.
    /// - Returns: Whether it is over. A purge that broke off counts as over only after its deadline.
    /// - Throws: Errors that waiting does not resolve.
    package func waitForPurge() async throws(CatalogError) -> Bool {
        for question in 1...Self.purgePollLimit {
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

    /// Moves the pointer to a snapshot with another purge record; returns `nil` if another writer was faster, or the
    /// response was lost. The caller reads the head again to find out.
    private func updatePointer(
        over base: CatalogHead, _ purge: CatalogPurge, generation: ContentDigest, with rows: Catalog = Catalog()
    ) async throws(CatalogError) -> CatalogHead? {
        var file = base.file
        file.purge = purge
        let changed = CatalogHead(snapshot: base.snapshot, pointer: base.pointer, file: file, generation: generation)
        let plan = await plan(rows, onto: changed)
        guard try await writeFiles(of: plan) != nil else { return nil }
        return try await updatePointer(to: plan, over: changed)
    }
}

extension Catalog {
    /// The contents in the library.
    var allPresentContents: Set<ContentDigest> { Set(records.lazy.filter(\.isPresent).map(\.md5)) }

    /// The contents that were ever put into the trash, whatever their state now.
    var contentsEverInTrash: Set<ContentDigest> {
        Set(records.lazy.filter { $0.trashed > 0 || $0.trashChanged.counter > 0 }.map(\.md5))
    }

    /// Returns the catalog without the records by which some contents are in the library.
    func withoutPresent(_ contents: Set<ContentDigest>) -> Catalog {
        var result = Catalog(namesOf: self)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where !record.isPresent || !contents.contains(record.md5)
            {
                result.append(record, paths[index])
            }
        }
        return result
    }

    /// Returns the records of some contents only.
    func restricted(to contents: Set<ContentDigest>) -> Catalog {
        var result = Catalog(namesOf: self)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where contents.contains(record.md5) {
                result.append(record, paths[index])
            }
        }
        return result
    }

    /// The contents that were permanently deleted from the trash, at any path.
    package var purgedContents: Set<ContentDigest> { Set(records.lazy.filter(\.isPurged).map(\.md5)) }

    /// Returns the contents that exist only in the trash and were moved there before a date.
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

    /// Returns the records that mark deleted contents as purged, at every path at which they are in the trash.
    func purged(_ contents: Set<ContentDigest>) -> Catalog {
        var purge = Catalog()
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where contents.contains(record.md5) {
                guard record.trashed > 0, !record.isPurged else { continue }
                var tombstone = CatalogRecord()
                tombstone.md5 = record.md5
                (tombstone.trashed, tombstone.trashChanged) = (CatalogRecord.purged, record.trashChanged)
                purge.append(tombstone, paths[index])
            }
        }
        return purge
    }
}

extension Timestamp {
    /// Creates a timestamp with a date rounded up to a whole second.
    init(seconds date: Date) {
        self.init(seconds: Int64(date.timeIntervalSince1970.rounded(.up)), nanoseconds: 0)
    }
}
