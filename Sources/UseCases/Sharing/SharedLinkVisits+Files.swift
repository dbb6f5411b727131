import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import StorageAccess

/// How a visitor gets a file.
package enum SharedFile: Sendable {
    /// From the store, by an address that is valid for some minutes.
    case address(String)
    /// From the service, which removes the location.
    case stream(SharedFileStream)
}

/// A file whose location is removed while it is sent.
package struct SharedFileStream: Sendable {
    package let size: Int64
    package let type: PhotoCatalog.MediaType
    /// The name under which the file is downloaded; `nil` if it is displayed.
    package let name: String?
    let key: ObjectKey
    let etag: ETag
    let removal: LocationRemoval
    let store: any ObjectStore
    /// Throws if the link opens no more.
    let check: @Sendable () async throws -> Void
    let now: @Sendable () -> Date

    /// How long a file is sent after its link has ended, in seconds.
    private static let interval: TimeInterval = 60

    /// The strong entity tag (RFC 9110 section 8.8.3) of the changed bytes.
    package var tag: String { "\"\(etag.description.filter { $0.isASCII && $0.isLetter || $0.isNumber })-l\"" }

    /// Produces the bytes of a range, in order.
    /// - Throws: `preconditionFailed` if the object was replaced since; `notFound` within a minute after the link has ended;
    ///   the errors of the store.
    package func read(_ range: Range<Int64>, _ emit: (ByteBuffer) async throws -> Void) async throws {
        let wanted = ByteRange.closed(first: range.lowerBound, last: range.upperBound - 1)
        guard let object = try await store.read(key, range: wanted), object.info.etag == etag,
            object.offsets == range
        else { throw ServiceError.preconditionFailed }
        var offset = range.lowerBound
        var checkedAt = now()
        for try await var bytes in object.body {
            // The clock may be set back.
            if abs(now().timeIntervalSince(checkedAt)) > Self.interval {
                try await check()
                checkedAt = now()
            }
            let count = Int64(bytes.readableBytes)
            removal.apply(to: &bytes, at: offset)
            offset += count
            try await emit(bytes)
        }
    }
}

extension SharedLinkVisits {
    /// Returns a photo's original for display or, with a name, for download; its preview if the location cannot be removed
    /// from the original and the link does not include it.
    /// - Parameter name: The name without extension under which it is downloaded.
    /// - Throws: `notFound` if the link does not show the photo, does not allow the download, or neither can be sent.
    package func file(
        _ photo: ContentDigest, downloadedAs name: String?, of shared: SharedPhotos
    ) async throws(ServiceError) -> SharedFile {
        let options = shared.link.document.options
        guard name == nil || options.allowsDownloads, let index = shared.timeline.index(of: photo) else {
            throw .notFound
        }
        let entry = shared.timeline.photos[index]
        return try await mapServiceErrors {
            // Without downloads an original is sent only to play it, or if there is no other picture.
            if !options.allowsDownloads, !entry.type.isVideo, try await hasPreview(photo, of: shared) {
                return .address(try await presignedURLs([.preview(photo)], of: shared).urls[0])
            }
            if options.includesLocation {
                if try await isReadable(photo, of: shared) {
                    let link =
                        name.map { PhotoLink.download(entry, name: "\($0).\(entry.type.fileExtension)") }
                        ?? .original(entry)
                    return .address(try await presignedURLs([link], of: shared).urls[0])
                }
            } else if let stream = try await stream(entry, downloadedAs: name, of: shared) {
                return .stream(stream)
            }
            guard try await hasPreview(photo, of: shared) else { throw ServiceError.notFound }
            let link = name.map { PhotoLink.downloadedPreview(photo, name: "\($0).jpg") } ?? .preview(photo)
            return .address(try await presignedURLs([link], of: shared).urls[0])
        }
    }

    /// Returns `nil` if there is no readable original, or if its structure is not known well enough.
    private func stream(
        _ entry: CatalogEntry, downloadedAs name: String?, of shared: SharedPhotos
    ) async throws -> SharedFileStream? {
        let key = ObjectKey(known: StorageLayout.photo(shared.link.token.user, md5: "\(entry.md5)"))
        let store = store(of: shared)
        guard let info = try await store.head(key), try await isReadable(entry.md5, of: shared) else { return nil }
        let version = SharedPhotosCache.ObjectVersion(key: key, etag: info.etag)
        let removal: LocationRemoval?
        if let known = cache.removal(from: version) {
            removal = known
        } else {
            removal = try await libraries.visitorInspections.withPermit(for: shared.link.token.user) {
                try await LocationRemoval.plan(of: entry.type, size: info.size) { range in
                    try await Self.bytes(range, of: version, in: store)
                }
            }
            cache.store(removal, from: version)
        }
        return removal.map {
            SharedFileStream(
                size: info.size, type: entry.type, name: name.map { "\($0).\(entry.type.fileExtension)" }, key: key,
                etag: info.etag, removal: $0, store: store,
                check: { _ = try await link(shared.link.token.description) }, now: now)
        }
    }

    private static func bytes(
        _ range: Range<Int64>, of version: SharedPhotosCache.ObjectVersion, in store: any ObjectStore
    ) async throws -> ByteBuffer {
        let wanted = ByteRange.closed(first: range.lowerBound, last: range.upperBound - 1)
        guard let object = try await store.read(version.key, range: wanted), object.info.etag == version.etag,
            object.offsets == range
        else { throw ServiceError.preconditionFailed }
        var bytes = ByteBuffer()
        for try await var chunk in object.body { bytes.writeBuffer(&chunk) }
        return bytes
    }

    /// Returns whether an original is not in an archive. No request in a store without archives.
    private func isReadable(_ photo: ContentDigest, of shared: SharedPhotos) async throws -> Bool {
        guard let archive = store(of: shared) as? any ArchiveRetrieval else { return true }
        let key = ObjectKey(known: StorageLayout.photo(shared.link.token.user, md5: "\(photo)"))
        return try await archive.archiveState(key) ?? .readable == .readable
    }
}
