import Foundation
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// The result of a repair.
    package struct Repair: Sendable, Equatable {
        /// Whether the pointer was moved; `false` if nothing was damaged.
        package let isRepaired: Bool
        /// The number of entries in the current catalog.
        package let entries: Int
        /// When the newest complete snapshot was written; `nil` if there is none, so that the catalog consists of other
        /// readable files, and if the pointer was not moved.
        package let written: Date?
        /// Entries left out because their contents are not stored: the operation that added them had been stopped by a
        /// purge.
        package var leftOut: [LibraryPath] = []
    }

    /// The salvaged entries, as a catalog of a new generation.
    struct RepairedCatalog: Sendable {
        let version: Version
        let leftOut: [LibraryPath]
    }

    /// Repairs a catalog whose pointer, newest snapshot or one of its parts is damaged or missing. The newest complete
    /// snapshot becomes current again, joined with everything readable that was written since. It begins a new
    /// generation, so that each device checks for lost entries. Nothing is deleted, and the pointer is moved only if it
    /// is still the one that was read.
    /// - Throws: Errors other than damage, such as a catalog of a newer version; `purging` while a purge may be under
    ///   way, because the contents stored after its end are unknown.
    package func repair() async throws(CatalogError) -> Repair {
        let pointer = try await pointerTag()
        if pointer != nil, let entries = try await entryCountIfWhole() {
            return Repair(isRepaired: false, entries: entries, written: nil)
        }
        let salvage = try await salvage()
        if pointer == nil, salvage.isEmpty { return Repair(isRepaired: false, entries: 0, written: nil) }
        let mended = try await repairedCatalogAfterPurge(with: salvage, over: pointer)
        let plan = await plan(Catalog(), onto: mended.version.head)
        guard try await writeFiles(of: plan) != nil, try await updatePointer(to: plan, over: mended.version.head) != nil
        else { throw .contended }
        return Repair(
            isRepaired: true, entries: mended.version.catalog.count, written: salvage.best?.written,
            leftOut: mended.leftOut)
    }

    /// Returns the salvaged catalog once no purge is under way. Which contents are stored is checked again after that.
    /// - Throws: `purging` while a purge may be under way.
    func repairedCatalogAfterPurge(with salvage: CatalogSalvage, over pointer: ETag?) async throws(CatalogError)
        -> RepairedCatalog
    {
        let first = try await repairedCatalog(with: salvage, over: pointer)
        guard let until = first.version.head.file.purge?.until else { return first }
        guard Timestamp(seconds: try await storeTime(over: first.version.head)) > until else { throw .purging }
        let second = try await repairedCatalog(with: try await self.salvage(), over: pointer)
        guard second.version.head.file.purge?.until == until else { throw .purging }
        return RepairedCatalog(version: second.version.afterPurge, leftOut: second.leftOut)
    }

    /// Returns the salvaged entries as a catalog of a new generation, to replace the one that a pointer names.
    ///
    /// An operation that was stopped by a purge leaves a snapshot that records it as done; the salvaged snapshot may be
    /// that one. Therefore the store is asked for contents that were ever in the trash or are in the library only in
    /// salvaged files, and those that are not stored are left out. If the trash was never used, there was no purge.
    func repairedCatalog(with salvage: CatalogSalvage, over pointer: ETag?) async throws(CatalogError)
        -> RepairedCatalog
    {
        var file = CatalogFile()
        var (known, parts) = (Catalog(), Set<ContentDigest>())
        if let best = salvage.best {
            guard let top = try await uncached.readSnapshot(best.digest) else { throw .snapshotMissing(best.digest) }
            file = top
            (known, parts) = try await uncached.loadAll(file)
        }
        let news = salvage.rows.difference(over: known)
        let joined = known.joined(with: news)
        let wereInTrash = joined.contentsEverInTrash
        var missing: Set<ContentDigest> = []
        if !wereInTrash.isEmpty || !salvage.purges.isEmpty {
            file.purge = CatalogPurge.salvaged(salvage.purges + (file.purge.map { [$0] } ?? []))
            let alive = (then: known.allPresentContents, now: joined.allPresentContents)
            missing = try await self.missing(alive.now.filter { wereInTrash.contains($0) || !alive.then.contains($0) })
        }
        if missing.isEmpty {
            file.rows.join(news)
        } else {
            // Records in parts cannot be removed, so all entries are written again.
            (file.rows, file.parts, parts) = (joined.withoutPresent(missing), [], [])
        }
        known = missing.isEmpty ? joined : file.rows
        let head = CatalogHead(snapshot: nil, pointer: pointer, file: file, generation: newGeneration())
        return RepairedCatalog(
            version: Version(catalog: known, head: head, parts: parts),
            leftOut: joined.entries.filter { missing.contains($0.md5) }.map(\.path))
    }

    /// The catalog store without the cache of this device.
    var uncached: CatalogStore {
        CatalogStore(store: store, user: user, device: device, pause: pause, randomness: randomness, sizes: sizes)
    }

    /// Returns the number of entries of a readable catalog; `nil` if it is damaged.
    private func entryCountIfWhole() async throws(CatalogError) -> Int? {
        do { return try await uncached.load().catalog.count } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    /// Returns the ETag of the pointer, which differs after every change of the catalog; `nil` if there is none.
    package func pointerTag() async throws(CatalogError) -> ETag? {
        do {
            return try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))?.etag
        } catch { throw .store(error) }
    }
}

extension CatalogStore.Version {
    /// The version with the purge marked as over.
    fileprivate var afterPurge: Self {
        var file = head.file
        file.purge?.until = nil
        let head = CatalogHead(snapshot: head.snapshot, pointer: head.pointer, file: file, generation: head.generation)
        return Self(catalog: catalog, head: head, parts: parts)
    }
}
