import Foundation
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// What a repair found and did.
    package struct Repair: Sendable, Equatable {
        /// Whether the pointer was moved; `false` when nothing was wrong.
        package let isRepaired: Bool
        /// Entries of the catalog that is in force now.
        package let entries: Int
        /// When the newest snapshot was written of which all is there; `nil` when there is none, so that the catalog is
        /// what could be read besides, and when nothing was moved.
        package let written: Date?
        /// What stood in the library by an act that a purge had stopped, and is not stored: it is left out.
        package var leftOut: [LibraryPath] = []
    }

    /// What was salvaged, as a catalog of a new line.
    struct Mended: Sendable {
        let version: Version
        let leftOut: [LibraryPath]
    }

    /// Makes a catalog readable again whose pointer, newest snapshot or one of its parts is damaged or gone: the newest
    /// snapshot of which all is there is in force again, joined with whatever can be read of what was written since. It
    /// begins a new line, so that each device looks for what was lost. Nothing is deleted, and the pointer is moved only
    /// if it still is the one that was read.
    /// - Throws: what is wrong but no damage, such as a catalog of a newer version; `purging` while a purge may be under
    ///   way, for then nobody can tell what will be stored at its end.
    package func repair() async throws(CatalogError) -> Repair {
        let pointer = try await pointerTag()
        if pointer != nil, let entries = try await entriesOfWhole() {
            return Repair(isRepaired: false, entries: entries, written: nil)
        }
        let salvage = try await salvage()
        if pointer == nil, salvage.isEmpty { return Repair(isRepaired: false, entries: 0, written: nil) }
        let mended = try await mendedInTime(with: salvage, over: pointer)
        let plan = await plan(Catalog(), onto: mended.version.head)
        guard try await writeFiles(of: plan) != nil, try await point(to: plan, over: mended.version.head) != nil
        else { throw .contended }
        return Repair(
            isRepaired: true, entries: mended.version.catalog.count, written: salvage.best?.written,
            leftOut: mended.leftOut)
    }

    /// The same where no purge is under way any more. What the store has is asked for again once that is sure.
    /// - Throws: `purging` while one may be under way.
    func mendedInTime(with salvage: CatalogSalvage, over pointer: ETag?) async throws(CatalogError) -> Mended {
        let first = try await mended(with: salvage, over: pointer)
        guard let until = first.version.head.file.purge?.until else { return first }
        guard Timestamp(seconds: try await storeTime(over: first.version.head)) > until else { throw .purging }
        let second = try await mended(with: try await self.salvage(), over: pointer)
        guard second.version.head.file.purge?.until == until else { throw .purging }
        return Mended(version: second.version.afterPurge, leftOut: second.leftOut)
    }

    /// What was salvaged as a catalog of a new line, to be put in the place of what a pointer names.
    ///
    /// An act that a purge has stopped leaves a snapshot behind that says that it was done, be it the one that is in force
    /// again. So the store is asked for what was in the trash once, or stands in the library only by what was salvaged, and
    /// what it does not have is left out. Where nothing ever was in the trash there was no purge.
    func mended(with salvage: CatalogSalvage, over pointer: ETag?) async throws(CatalogError) -> Mended {
        var file = CatalogFile()
        var (known, parts) = (Catalog(), Set<ContentDigest>())
        if let best = salvage.best {
            guard let top = try await uncached.readTop(best.digest) else { throw .snapshotMissing(best.digest) }
            file = top
            (known, parts) = try await uncached.whole(file)
        }
        let news = salvage.rows.news(over: known)
        let whole = known.joined(with: news)
        let wereInTrash = whole.contentsEverInTrash
        var gone: Set<ContentDigest> = []
        if !wereInTrash.isEmpty || !salvage.purges.isEmpty {
            file.purge = CatalogPurge.salvaged(salvage.purges + (file.purge.map { [$0] } ?? []))
            let alive = (then: known.aliveContents, now: whole.aliveContents)
            gone = try await missing(alive.now.filter { wereInTrash.contains($0) || !alive.then.contains($0) })
        }
        if gone.isEmpty {
            file.rows.join(news)
        } else {
            // What a part says cannot be unsaid, so all is written anew.
            (file.rows, file.parts, parts) = (whole.withoutAlive(gone), [], [])
        }
        known = gone.isEmpty ? whole : file.rows
        let head = CatalogHead(snapshot: nil, pointer: pointer, file: file, origin: newOrigin())
        return Mended(
            version: Version(catalog: known, head: head, parts: parts),
            leftOut: whole.entries.filter { gone.contains($0.md5) }.map(\.path))
    }

    /// The same store as others see it, whatever is kept on this device.
    var uncached: CatalogStore {
        CatalogStore(store: store, user: user, device: device, pause: pause, randomness: randomness, sizes: sizes)
    }

    /// The entries of a catalog that can be read; `nil` when it is damaged.
    private func entriesOfWhole() async throws(CatalogError) -> Int? {
        do { return try await uncached.load().catalog.count } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    /// The version of the pointer: another one whenever the catalog has changed. `nil` where there is none.
    package func pointerTag() async throws(CatalogError) -> ETag? {
        do {
            return try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))?.etag
        } catch { throw .store(error) }
    }
}

extension CatalogStore.Version {
    /// The same with the word that the purge is over.
    fileprivate var afterPurge: Self {
        var file = head.file
        file.purge?.until = nil
        let head = CatalogHead(snapshot: head.snapshot, pointer: head.pointer, file: file, origin: head.origin)
        return Self(catalog: catalog, head: head, parts: parts)
    }
}
