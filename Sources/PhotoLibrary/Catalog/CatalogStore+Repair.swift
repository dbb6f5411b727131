import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

extension CatalogStore {
    /// What a repair found and did.
    package struct Repair: Sendable, Equatable {
        /// Whether the pointer was moved; `false` when nothing was wrong.
        package let isRepaired: Bool
        /// Entries of the catalog that is in force now.
        package let entries: Int
        /// When the snapshot that the pointer was moved to was written; `nil` when none could be read, so that the
        /// catalog begins anew, and when nothing was moved.
        package let written: Date?
    }

    /// Makes a catalog readable again whose pointer or newest snapshot is damaged or gone: moves the pointer to the
    /// newest snapshot that can be read, or to an empty one when there is none. Nothing is deleted, and the pointer is
    /// moved only if it still is the one that was read.
    /// - Throws: what is wrong but no damage, such as a catalog of a newer version.
    package func repair() async throws(CatalogError) -> Repair {
        let pointer = try await pointerTag()
        if pointer != nil,
            let catalog = try await undamaged({ () async throws(CatalogError) in try await load().catalog })
        {
            return Repair(isRepaired: false, entries: catalog.count, written: nil)
        }
        if let best = try await newestReadable() {
            try await point(to: best.digest, insteadOf: pointer)
            return Repair(isRepaired: true, entries: best.catalog.count, written: best.written)
        }
        guard pointer != nil else { return Repair(isRepaired: false, entries: 0, written: nil) }
        let lost = Version(catalog: Catalog(), snapshot: nil, pointer: pointer)
        guard try await publish(Catalog(), over: lost) != nil else { throw .contended }
        return Repair(isRepaired: true, entries: 0, written: nil)
    }

    /// The newest snapshot that can be read. Listings tell whole seconds: of one second's the largest counts as newest.
    func newestReadable() async throws(CatalogError) -> (digest: ContentDigest, catalog: Catalog, written: Date)? {
        var best: (digest: ContentDigest, catalog: Catalog, written: Date)?
        for (digest, written) in try await snapshots() {
            if let best, best.written > written { break }
            let found = try await undamaged { () async throws(CatalogError) in try await readSnapshot(digest) }
            guard let catalog = found ?? nil, catalog.count > best?.catalog.count ?? -1 else { continue }
            best = (digest, catalog, written)
        }
        return best
    }

    private func pointerTag() async throws(CatalogError) -> ETag? {
        do {
            return try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))?.etag
        } catch { throw .store(error) }
    }

    /// What was read, or `nil` when it is damaged.
    private func undamaged<Value>(
        _ read: () async throws(CatalogError) -> Value
    ) async throws(CatalogError) -> Value? {
        do { return try await read() } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    /// All snapshots, the newest first.
    private func snapshots() async throws(CatalogError) -> [(digest: ContentDigest, written: Date)] {
        let prefix = "\(StorageLayout.catalogs(user)).photolala."
        var found: [(digest: ContentDigest, written: Date)] = []
        var after: String?
        while true {
            let page: ObjectPage
            do {
                page = try await store.list(prefix: prefix, after: after, limit: 1000)
            } catch { throw .store(error) }
            for object in page.objects {
                let name = object.key.description.utf8.dropFirst(prefix.utf8.count)
                guard let digest = ContentDigest(Substring(name.prefix(32))),
                    name.dropFirst(32).elementsEqual(".csv".utf8)
                else { continue }
                found.append((digest, object.lastModified))
            }
            guard page.isTruncated, let last = page.objects.last else { break }
            after = last.key.description
        }
        return found.sorted { ($0.written, $0.digest.description) > ($1.written, $1.digest.description) }
    }

    private func point(to digest: ContentDigest, insteadOf pointer: ETag?) async throws(CatalogError) {
        let key = ObjectKey(known: StorageLayout.catalogPointer(user))
        do {
            try await store.put(
                key, ByteBuffer(string: digest.description), if: pointer.map { .matches($0) } ?? .absent
            )
        } catch {
            switch error {
            case .preconditionFailed, .conflict, .outcomeUnknown: throw .contended
            default: throw .store(error)
            }
        }
    }
}
