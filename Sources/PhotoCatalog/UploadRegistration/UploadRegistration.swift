import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A photo that was uploaded without a backup, for example from a browser.
package struct UploadedPhoto: Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// The modification date of the file.
    package let modified: Timestamp

    package init(path: LibraryPath, md5: ContentDigest, modified: Timestamp) {
        self.path = path
        self.md5 = md5
        self.modified = modified
    }
}

/// An operation that adds photos to a library that were uploaded without a backup.
package struct UploadRegistration: Sendable {
    package enum Outcome: Sendable, Equatable {
        case added
        /// The object does not exist, or cannot be read.
        case missing
        /// The stored object is not a photo or video.
        case notMedia
    }

    let catalogs: CatalogStore
    private let now: Timestamp

    /// - Parameter now: The current time. Capture dates more than a day after it are ignored.
    package init(_ catalogs: CatalogStore, now: Timestamp) { (self.catalogs, self.now) = (catalogs, now) }

    /// Returns whether the store certainly has a content: the object has the expected length, and its ETag is its MD5.
    package func isStored(_ md5: ContentDigest, size: Int64) async throws(ObjectStoreError) -> Bool {
        do throws(ObjectStoreError) {
            guard let info = try await catalogs.store.head(key(md5)) else { return false }
            return info.size == size && info.etag.description == md5.description
        } catch .corrupted {
            return false
        }
    }

    /// Returns whether the store has a thumbnail or preview of a photo. One HEAD.
    package func has(_ kind: PictureKind, of md5: ContentDigest) async throws(ObjectStoreError) -> Bool {
        do throws(ObjectStoreError) {
            return try await catalogs.store.head(kind.key(of: md5, catalogs.user)) != nil
        } catch .corrupted { return false }
    }

    /// Checks uploaded photos in the store. Uploading a photo that is in the trash restores it.
    /// - Parameter version: A catalog returned by `settled`.
    /// - Returns: The outcome for each photo, and the changes to commit to this version of the catalog.
    /// - Throws: `ObjectStoreError`.
    package func inspectStorage(
        at arrivals: [UploadedPhoto], for version: CatalogStore.Version
    ) async throws -> (outcomes: [Outcome], changes: [CatalogChange]) {
        var (outcomes, changes) = ([Outcome](), [CatalogChange]())
        for arrival in arrivals {
            let (path, md5) = (arrival.path, arrival.md5)
            if version.catalog.holds(path, md5) {
                outcomes.append(.added)
                continue
            }
            let (outcome, entry) = try await inspectObject(at: arrival, known: version.catalog)
            outcomes.append(outcome)
            guard let entry else { continue }
            changes.append(.add(entry, replacing: nil))
            if version.catalog.isRemoved(path, md5) { changes.append(.restoreFromTrash(path, md5)) }
        }
        return (outcomes, changes)
    }

    private func inspectObject(
        at arrival: UploadedPhoto, known catalog: Catalog
    ) async throws -> (outcome: Outcome, entry: CatalogEntry?) {
        let (path, md5) = (arrival.path, arrival.md5)
        do {
            // Facts in the catalog need not be read again, and cannot be read if the object is archived.
            if let known = catalog.firstEntry(md5), try await catalogs.store.head(key(md5))?.size == known.size {
                let entry = CatalogEntry(
                    path: path, md5: md5, size: known.size, modified: arrival.modified, type: known.type,
                    media: known.media)
                return (.added, entry)
            }
            guard let found = try await catalogs.store.readPhotoHead(key(md5)) else { return (.missing, nil) }
            guard let type = MediaType.sniffed(found.bytes, name: path.name) else { return (.notMedia, nil) }
            let entry = CatalogEntry(
                path: path, md5: md5, size: found.size, modified: arrival.modified, type: type,
                media: MediaReading(head: found.bytes, type: type).facts(until: .latestCapture(at: now)))
            return (.added, entry)
        } catch let error as ObjectStoreError {
            // The error concerns one object; the others can still be added.
            switch error {
            case .archived, .corrupted, .rangeNotSatisfiable: return (.missing, nil)
            default: throw error
            }
        }
    }

    private func key(_ md5: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(catalogs.user, md5: md5.description))
    }
}

extension MediaType {
    /// Returns the type of a file from at most its first 4,096 bytes, or `nil` if it is not a photo or video.
    package static func sniffed(_ head: ByteBuffer, name: String) -> MediaType? {
        head.readableBytes > 0 ? MediaSniffer.type(head: head, name: name) : nil
    }
}
