import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Puts photos that are stored, and that their owner's catalog does not name, into the catalog.
package struct PhotoAdoption: Sendable {
    /// What is known of a photo besides its bytes.
    package struct Known: Sendable {
        let path: String
        let modified: Timestamp

        package init(path: String, modified: Timestamp) {
            self.path = path
            self.modified = modified
        }
    }

    package struct Outcome: Sendable, Equatable {
        package let added: Int
        /// The catalog that was there could not be read, and was begun anew with what could be. Its snapshots stay.
        package let isBegunAnew: Bool
    }

    let store: any ObjectStore
    let user: UserID
    private let catalogs: CatalogStore
    private let now: Timestamp

    /// - Parameters:
    ///   - pause: between attempts to read a catalog that is being moved on.
    ///   - now: dates a day later and beyond count as none.
    package init(store: any ObjectStore, user: UserID, pause: Backoff, randomness: Randomness, now: Timestamp) {
        self.now = now
        self.store = store
        self.user = user
        catalogs = CatalogStore(store: store, user: user, pause: pause, randomness: randomness)
    }

    /// Adds what is missing in one commit. Called again, it adds nothing.
    /// - Parameters:
    ///   - known: asked for only when something is to be added.
    ///   - willWrite: called with the key of each object before it is written.
    /// - Throws: `CatalogError`, `ObjectStoreError`, and what the closures throw.
    package func run(
        known: () async throws -> [ContentDigest: Known], willWrite: (ObjectKey) async throws -> Void
    ) async throws -> Outcome {
        let (base, isBegunAnew) = try await newest()
        let missing = try await missing(in: base.catalog)
        let isUnwritten = isBegunAnew || base.head.pointer == nil
        guard !missing.isEmpty || (isUnwritten && !base.catalog.isEmpty) else {
            return Outcome(added: 0, isBegunAnew: false)
        }
        let descriptions = try await PhotoDescriptions(store: store, user: user)
        let told = missing.isEmpty ? [:] : try await known()
        var changes: [CatalogChange] = []
        for (digest, object) in missing {
            changes.append(.add(try await entry(digest, object, told[digest], descriptions), replacing: nil))
        }
        let added = Catalog(changes, after: base.catalog.highestCounter, by: .none, trashed: 1)
        let plan = await catalogs.plan(added, onto: base.head)
        for file in plan.files { try await willWrite(catalogs.key(file)) }
        try await willWrite(ObjectKey(known: StorageLayout.catalogPointer(user)))
        if try await !isDone(plan, over: base.head) {
            // The answer was lost, or a device was faster; in that case the next run adds what is missing then.
            guard try await catalogs.head().isCommitted(plan) else { throw CatalogError.contended }
        }
        return Outcome(added: missing.count, isBegunAnew: isBegunAnew)
    }

    private func isDone(_ plan: CatalogPlan, over base: CatalogHead) async throws(CatalogError) -> Bool {
        guard try await catalogs.writeFiles(of: plan) != nil else { return false }
        return try await catalogs.point(to: plan, over: base) != nil
    }

    /// The newest catalog, or what can be read of one that is damaged, to put in its place.
    private func newest() async throws -> (CatalogStore.Version, isBegunAnew: Bool) {
        let isDamaged: Bool
        do {
            let version = try await catalogs.load()
            if version.head.snapshot != nil || version.head.isEmpty { return (version, false) }
            isDamaged = false
        } catch {
            guard error.isDamage else { throw error }
            isDamaged = true
        }
        let pointer = try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))?.etag
        let salvage = try await catalogs.salvage()
        return (try await catalogs.mendedInTime(with: salvage, over: pointer).version, isDamaged)
    }

    private func missing(in catalog: Catalog) async throws -> [(ContentDigest, ListedObject)] {
        // What is in the trash is named, too.
        let named = Set(catalog.records.map(\.md5))
        var missing: [(ContentDigest, ListedObject)] = []
        try await store.forEachObject(below: StorageLayout.photos(user)) { object in
            let name = object.key.description.dropFirst(StorageLayout.photos(user).count)
            guard name.hasSuffix(".dat"), let digest = ContentDigest(name.dropLast(4)), !named.contains(digest) else {
                return
            }
            missing.append((digest, object))
        }
        return missing
    }

    private func entry(
        _ digest: ContentDigest, _ object: ListedObject, _ known: Known?, _ descriptions: PhotoDescriptions
    ) async throws -> CatalogEntry {
        let described = try await descriptions.read(digest)
        let head = object.size > 0 ? try await store.headOfPhoto(object.key)?.bytes ?? ByteBuffer() : ByteBuffer()
        let name = described?.name ?? known?.path ?? ""
        let type = MediaSniffer.type(head: head, name: name) ?? .unknown
        let written = Timestamp(seconds: Int64(object.lastModified.timeIntervalSince1970), nanoseconds: 0)
        return CatalogEntry(
            path: try path(name, digest, type), md5: digest, size: object.size,
            modified: described?.modified ?? known?.modified ?? written,
            type: type, media: media(head, type, described)
        )
    }

    /// What the photo says of itself, its date from the description where it says none.
    private func media(
        _ head: ByteBuffer, _ type: MediaType, _ described: PhotoDescriptions.Description?
    ) -> MediaFacts {
        let limit = Timestamp.latestCapture(at: now)
        var media = MediaReading(head: head, type: type).facts(until: limit)
        if media.taken == nil, let taken = described?.taken, taken.moment <= limit { media.taken = taken }
        return media
    }

    /// The name it had, or one from its MD5 where it had no better one.
    private func path(_ name: String, _ digest: ContentDigest, _ type: MediaType) throws -> LibraryPath {
        let isNamed = !name.lowercased().hasPrefix(digest.description) && !name.isEmpty
        if isNamed, let path = LibraryPath(name) { return path }
        guard let path = LibraryPath("\(digest).\(type.fileEnding)") else { throw CatalogError.malformedPointer }
        return path
    }

}

extension ObjectStore {
    /// A stored photo's length and as much of it as its kind and its date are looked for in. One request.
    func headOfPhoto(_ key: ObjectKey) async throws -> (size: Int64, bytes: ByteBuffer)? {
        let range = ByteRange.closed(first: 0, last: Int64(FileInspection.pieceLength / 2 - 1))
        guard let reading = try await read(key, range: range) else { return nil }
        var bytes = ByteBuffer()
        for try await var chunk in reading.body { bytes.writeBuffer(&chunk) }
        return (reading.info.size, bytes)
    }

    /// Goes through all objects below a prefix, a page at a time.
    func forEachObject(below prefix: String, _ act: (ListedObject) throws -> Void) async throws {
        var after: String?
        while true {
            let page = try await list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects { try act(object) }
            guard page.isTruncated, let last = page.objects.last else { return }
            after = last.key.description
        }
    }
}
