import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A photo that was uploaded without a backup, for example from a browser.
package struct UploadedPhoto: Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// The modification date of the file.
    package let modified: Timestamp
    /// When and where it was taken, if its metadata lacks that.
    package let taken: CaptureDate?
    package let location: GeoLocation?
    /// The average color of the thumbnail that was uploaded with it.
    package let color: PictureColor?
    /// The duration of a video and the camera, if its metadata lacks that.
    package let duration: MediaDuration?
    package let camera: CameraName?

    package init(
        path: LibraryPath, md5: ContentDigest, modified: Timestamp, taken: CaptureDate? = nil,
        location: GeoLocation? = nil, color: PictureColor? = nil, duration: MediaDuration? = nil,
        camera: CameraName? = nil
    ) {
        self.path = path
        self.md5 = md5
        self.modified = modified
        self.taken = taken
        self.location = location
        self.color = color
        self.duration = duration
        self.camera = camera
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
        /// The photo is in the trash at this path.
        case inTrash
        /// The photo was deleted permanently at this path.
        case deleted
    }

    /// What a stored object is for one of its paths.
    private struct Inspection: Sendable {
        let index: Int
        let outcome: Outcome
        var entry: CatalogEntry?
    }

    /// The most concurrent requests to the store; each may hold `MediaReading.headLength` bytes.
    private static let parallelRequests = 8

    let catalogs: CatalogStore
    private let now: Timestamp
    private let foreign: ForeignObjects

    /// - Parameters:
    ///   - now: The current time. Capture dates more than a day after it are ignored.
    ///   - foreign: The objects that earlier calls found to be no photos.
    package init(_ catalogs: CatalogStore, now: Timestamp, foreign: ForeignObjects = ForeignObjects()) {
        (self.catalogs, self.now, self.foreign) = (catalogs, now, foreign)
    }

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

    /// Checks uploaded photos in the store, each content once. Stops between two contents if the task is cancelled.
    /// - Parameters:
    ///   - version: A catalog returned by `settled`.
    ///   - restoresRemoved: Whether photos are restored that are in the trash or were deleted permanently.
    /// - Returns: The outcome for each photo, and the changes to commit to this version of the catalog.
    /// - Throws: `ObjectStoreError`, `CancellationError`.
    package func inspectStorage(
        at arrivals: [UploadedPhoto], for version: CatalogStore.Version, restoresRemoved: Bool
    ) async throws -> (outcomes: [Outcome], changes: [CatalogChange]) {
        let catalog = version.catalog
        let removals = arrivals.map { catalog.removal($0.path, $0.md5) }
        var outcomes = removals.map { removal -> Outcome in
            switch restoresRemoved ? nil : removal {
            case .inTrash: .inTrash
            case .deleted: .deleted
            case nil: .missing
            }
        }
        var changes: [CatalogChange] = []
        let inspected = arrivals.indices.filter { outcomes[$0] == .missing }
        for found in try await inspectContents(arrivals, at: inspected, known: catalog) {
            outcomes[found.index] = found.outcome
            guard let entry = found.entry else { continue }
            changes.append(.add(entry, replacing: nil))
            if removals[found.index] != nil { changes.append(.restoreFromTrash(entry.path, entry.md5)) }
        }
        return (outcomes, changes)
    }

    private func inspectContents(
        _ arrivals: [UploadedPhoto], at indices: [Int], known catalog: Catalog
    ) async throws -> [Inspection] {
        let known = catalog.firstEntries(of: Set(indices.map { arrivals[$0].md5 }))
        var groups = Dictionary(grouping: indices, by: { arrivals[$0].md5 }).sorted { $0.value[0] < $1.value[0] }[...]
        return try await withThrowingTaskGroup(of: [Inspection].self) { tasks in
            var found: [Inspection] = []
            var running = 0
            while true {
                while running < Self.parallelRequests, let (md5, indices) = groups.popFirst() {
                    try Task.checkCancellation()
                    let paths = indices.map { ($0, arrivals[$0]) }
                    tasks.addTask { try await inspectObject(md5, at: paths, known: known[md5], in: catalog) }
                    running += 1
                }
                guard let inspected = try await tasks.next() else { break }
                found += inspected
                running -= 1
            }
            return found.sorted { $0.index < $1.index }
        }
    }

    private func inspectObject(
        _ md5: ContentDigest, at paths: [(Int, UploadedPhoto)], known: CatalogEntry?, in catalog: Catalog
    ) async throws -> [Inspection] {
        let missing = paths.map { Inspection(index: $0.0, outcome: .missing) }
        do {
            // Facts in the catalog need not be read again, and cannot be read if the object is archived.
            if let known {
                guard let info = try await catalogs.store.head(key(md5)) else { return missing }
                if info.size == known.size {
                    return paths.map { index, arrival in
                        let isHeld = catalog.holds(arrival.path, md5)
                        let entry = isHeld ? nil : entry(of: arrival, known.size, known.type, known.media)
                        return Inspection(index: index, outcome: .added, entry: entry)
                    }
                }
            }
            if paths.allSatisfy({ foreign.contains(md5, of: catalogs.user, as: $1.path.name, at: now) }) {
                return paths.map { Inspection(index: $0.0, outcome: .notMedia) }
            }
            guard let photo = try await catalogs.store.readPhoto(key(md5)) else { return missing }
            return inspect(photo, at: paths, in: catalog)
        } catch let error as ObjectStoreError {
            // The error concerns one object; the others can still be added.
            switch error {
            case .archived, .corrupted, .rangeNotSatisfiable: return missing
            default: throw error
            }
        }
    }

    private func inspect(
        _ photo: StoredPhotoBytes, at paths: [(Int, UploadedPhoto)], in catalog: Catalog
    ) -> [Inspection] {
        // The name decides the type only among few of them.
        var facts: [MediaType: MediaFacts] = [:]
        return paths.map { index, arrival in
            // An object that differs from what the library says of it is damaged.
            if catalog.holds(arrival.path, arrival.md5) { return Inspection(index: index, outcome: .missing) }
            guard let type = MediaType.sniffed(photo.head, name: arrival.path.name) else {
                foreign.insert(arrival.md5, of: catalogs.user, as: arrival.path.name, at: now)
                return Inspection(index: index, outcome: .notMedia)
            }
            let media = facts[type] ?? MediaReading(photo.media, type: type).facts(until: .latestCapture(at: now))
            facts[type] = media
            return Inspection(index: index, outcome: .added, entry: entry(of: arrival, photo.size, type, media))
        }
    }

    private func entry(of arrival: UploadedPhoto, _ size: Int64, _ type: MediaType, _ media: MediaFacts) -> CatalogEntry
    {
        var media = media
        if media.taken == nil, let taken = arrival.taken, taken.moment <= .latestCapture(at: now) {
            media.taken = taken
        }
        if media.location == nil { media.location = arrival.location }
        if media.color == nil { media.color = arrival.color }
        if media.duration == nil, type.isVideo { media.duration = arrival.duration }
        if media.camera == nil { media.camera = arrival.camera }
        return CatalogEntry(
            path: arrival.path, md5: arrival.md5, size: size, modified: arrival.modified, type: type, media: media)
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
