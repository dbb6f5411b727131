import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// An operation that adds stored photos to the owner's catalog if the catalog does not list them.
package struct StoredPhotoImport: Sendable {
    /// Facts about a photo that are known from outside its bytes.
    package struct PhotoDetails: Sendable {
        let path: String
        let modified: Timestamp

        package init(path: String, modified: Timestamp) {
            self.path = path
            self.modified = modified
        }
    }

    package struct Outcome: Sendable, Equatable {
        package let added: Int
        /// Whether the existing catalog was damaged and was replaced by one with all entries that could be read. Its
        /// snapshots are kept.
        package let isRebuilt: Bool
    }

    let store: any ObjectStore
    let user: UserID
    private let catalogs: CatalogStore
    private let now: Timestamp

    /// - Parameters:
    ///   - pause: The backoff between attempts to update a catalog that other writers change.
    ///   - now: The current time. Capture dates more than a day after it are ignored.
    package init(store: any ObjectStore, user: UserID, pause: Backoff, randomness: Randomness, now: Timestamp) {
        self.now = now
        self.store = store
        self.user = user
        catalogs = CatalogStore(store: store, user: user, pause: pause, randomness: randomness)
    }

    /// Adds all missing photos in one commit. A second call adds nothing.
    /// - Parameters:
    ///   - known: Returns the facts about photos; called only if photos are missing.
    ///   - willWrite: Called with the key of each object before it is written.
    /// - Throws: `CatalogError`, `ObjectStoreError`, and errors thrown by the closures.
    package func run(
        known: () async throws -> [ContentDigest: PhotoDetails], willWrite: (ObjectKey) async throws -> Void
    ) async throws -> Outcome {
        let (base, isRebuilt) = try await loadBaseVersion()
        let missing = try await unlistedPhotos(in: base.catalog)
        let isUnwritten = isRebuilt || base.head.pointer == nil
        guard !missing.isEmpty || (isUnwritten && !base.catalog.isEmpty) else {
            return Outcome(added: 0, isRebuilt: false)
        }
        let descriptions = try await PhotoDescriptions(store: store, user: user)
        let details = missing.isEmpty ? [:] : try await known()
        var changes: [CatalogChange] = []
        for (digest, object) in missing {
            changes.append(.add(try await entry(digest, object, details[digest], descriptions), replacing: nil))
        }
        let added = Catalog(changes, after: base.catalog.highestCounter, by: .none, trashed: 1)
        let plan = await catalogs.plan(added, onto: base.head)
        for file in plan.files { try await willWrite(catalogs.key(file)) }
        try await willWrite(ObjectKey(known: StorageLayout.catalogPointer(user)))
        if try await !publish(plan, over: base.head) {
            // The response was lost, or another device committed first. In the second case the next run adds what is
            // missing.
            guard try await catalogs.head().isCommitted(plan) else { throw CatalogError.contended }
        }
        return Outcome(added: missing.count, isRebuilt: isRebuilt)
    }

    private func publish(_ plan: CatalogPlan, over base: CatalogHead) async throws(CatalogError) -> Bool {
        guard try await catalogs.writeFiles(of: plan) != nil else { return false }
        return try await catalogs.updatePointer(to: plan, over: base) != nil
    }

    /// Returns the newest catalog or, if it is damaged, all entries that can be read, ready to replace it.
    private func loadBaseVersion() async throws -> (CatalogStore.Version, isRebuilt: Bool) {
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
        return (try await catalogs.repairedCatalogAfterPurge(with: salvage, over: pointer).version, isDamaged)
    }

    private func unlistedPhotos(in catalog: Catalog) async throws -> [(ContentDigest, ListedObject)] {
        // Photos in the trash count as listed.
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
        _ digest: ContentDigest, _ object: ListedObject, _ known: PhotoDetails?, _ descriptions: PhotoDescriptions
    ) async throws -> CatalogEntry {
        let described = try await descriptions.read(digest)
        let photo = object.size > 0 ? try await store.readPhoto(object.key) : nil
        let name = described?.name ?? known?.path ?? ""
        let type = MediaSniffer.type(head: photo?.head ?? ByteBuffer(), name: name) ?? .unknown
        let written = Timestamp(seconds: Int64(object.lastModified.timeIntervalSince1970), nanoseconds: 0)
        return CatalogEntry(
            path: try path(name, digest, type), md5: digest, size: object.size,
            modified: described?.modified ?? known?.modified ?? written,
            type: type, media: media(photo, type, described)
        )
    }

    /// Returns the media facts from the file itself, with the capture date from the description if the file has none.
    private func media(
        _ photo: StoredPhotoBytes?, _ type: MediaType, _ described: PhotoDescriptions.Description?
    ) -> MediaFacts {
        let limit = Timestamp.latestCapture(at: now)
        var media = photo.map { MediaReading($0.media, type: type).facts(until: limit) } ?? MediaFacts()
        if media.taken == nil, let taken = described?.taken, taken.moment <= limit { media.taken = taken }
        return media
    }

    /// Returns the original name, or a name made from the MD5 if no better one is known.
    private func path(_ name: String, _ digest: ContentDigest, _ type: MediaType) throws -> LibraryPath {
        let isNamed = !name.lowercased().hasPrefix(digest.description) && !name.isEmpty
        if isNamed, let path = LibraryPath(name) { return path }
        guard let path = LibraryPath("\(digest).\(type.fileExtension)") else { throw CatalogError.malformedPointer }
        return path
    }

}

extension ObjectStore {
    /// Calls a closure for each object below a prefix. One list request per 1,000 objects.
    func forEachObject(below prefix: String, _ body: (ListedObject) throws -> Void) async throws {
        var after: String?
        while true {
            let page = try await list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects { try body(object) }
            guard page.isTruncated, let last = page.objects.last else { return }
            after = last.key.description
        }
    }
}
