import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

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
        /// The catalog that was there could not be read, and was begun anew. Its snapshots stay.
        package let isBegunAnew: Bool
    }

    let store: any ObjectStore
    let user: UserID
    private let catalogs: CatalogStore

    /// - Parameter pause: between attempts to read a catalog that is being moved on.
    package init(store: any ObjectStore, user: UserID, pause: Backoff) {
        self.store = store
        self.user = user
        catalogs = CatalogStore(store: store, user: user, pause: pause)
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
        guard !missing.isEmpty || (base.pointer == nil && base.catalog.count > 0) else {
            return Outcome(added: 0, isBegunAnew: false)
        }
        let descriptions = try await PhotoDescriptions(store: store, user: user)
        let told = missing.isEmpty ? [:] : try await known()
        var catalog = base.catalog
        for (digest, object) in missing {
            let entry = try await entry(digest, object, told[digest], descriptions)
            catalog.merge([CatalogChange(entry: entry, replacing: nil)])
        }
        let snapshot = ContentDigest(of: CatalogCSV.encode(catalog)).description
        try await willWrite(ObjectKey(known: StorageLayout.catalogSnapshot(user, md5: snapshot)))
        try await willWrite(ObjectKey(known: StorageLayout.catalogPointer(user)))
        if try await catalogs.publish(catalog, over: base) == nil {
            // The answer was lost, or a device was faster; in that case the next run adds what is missing then.
            guard try await catalogs.load().catalog == catalog else { throw CatalogError.contended }
        }
        return Outcome(added: missing.count, isBegunAnew: isBegunAnew)
    }

    /// The newest catalog, or an empty one to put in the place of what is none.
    private func newest() async throws -> (CatalogStore.Version, isBegunAnew: Bool) {
        do {
            return (try await catalogs.load(), false)
        } catch {
            switch error {
            case .store, .tooLarge, .contended: throw error
            default: break
            }
        }
        let pointer = try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))?.etag
        return (CatalogStore.Version(catalog: Catalog(), snapshot: nil, pointer: pointer), true)
    }

    private func missing(in catalog: Catalog) async throws -> [(ContentDigest, ListedObject)] {
        let named = catalog.contents
        var missing: [(ContentDigest, ListedObject)] = []
        try await store.forEachObject(below: StorageLayout.photos(user)) { object in
            let name = object.key.description.dropFirst(StorageLayout.photos(user).count)
            guard name.hasSuffix(".dat"), let digest = ContentDigest(name.dropLast(4)), named[digest] == nil else {
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
        let head = try await head(of: object)
        let name = described?.name ?? known?.path ?? ""
        let type = MediaSniffer.type(head: head, name: name) ?? .unknown
        let written = Timestamp(seconds: Int64(object.lastModified.timeIntervalSince1970), nanoseconds: 0)
        return CatalogEntry(
            path: try path(name, digest, type), md5: digest, size: object.size,
            modified: described?.modified ?? known?.modified ?? written,
            taken: TakenDate.read(head: head, type: type) ?? described?.taken, type: type
        )
    }

    /// The name it had, or one from its MD5 where it had no better one.
    private func path(_ name: String, _ digest: ContentDigest, _ type: MediaType) throws -> LibraryPath {
        let isNamed = !name.lowercased().hasPrefix(digest.description) && !name.isEmpty
        if isNamed, let path = LibraryPath(name) { return path }
        guard let path = LibraryPath("\(digest).\(type.fileEnding)") else { throw CatalogError.malformedPointer }
        return path
    }

    /// As much of a photo as its kind and its date are looked for in.
    private func head(of object: ListedObject) async throws -> ByteBuffer {
        let range = ByteRange.closed(first: 0, last: Int64(FileInspection.pieceLength / 8 - 1))
        var bytes = ByteBuffer()
        guard object.size > 0, let reading = try await store.read(object.key, range: range) else { return bytes }
        for try await var chunk in reading.body { bytes.writeBuffer(&chunk) }
        return bytes
    }
}

extension ObjectStore {
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
