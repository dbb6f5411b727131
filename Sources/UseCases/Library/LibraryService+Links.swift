import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import StorageAccess

/// The link to a photo that a page needs.
package enum PhotoLink: Sendable {
    case thumbnail(ContentDigest)
    case preview(ContentDigest)
    /// The original, shown inline with its media type.
    case original(CatalogEntry)
    /// The original, downloaded under a file name.
    case download(CatalogEntry, name: String)
    /// The preview, downloaded under a file name.
    case downloadedPreview(ContentDigest, name: String)
}

extension LibraryService {
    /// Returns links that open photos of the caller for some minutes, signed with the caller's own storage credentials.
    /// The credentials are issued only a few times an hour.
    package func presignedURLs(_ photos: [PhotoLink], caller: Caller) async throws(ServiceError) -> PresignedURLs {
        try await presign(photos.map { $0.request(for: caller.user) }, caller: caller)
    }

    /// Returns whether a photo has a preview, as far as the caller's credentials tell. One HEAD.
    package func hasPreview(_ photo: ContentDigest, caller: Caller) async throws(ServiceError) -> Bool {
        let registration = UploadRegistration(try await catalogs(of: caller), now: Timestamp(whole: now()))
        do throws(ObjectStoreError) { return try await registration.has(.preview, of: photo) } catch {
            guard case .denied = error else { throw ServiceError(error) }
            return false
        }
    }

    private func presign(_ requests: [PresignedRequest], caller: Caller) async throws(ServiceError) -> PresignedURLs {
        let credentials = try await storageAccess.cachedCredentials(caller)
        let validity = PresignedURLValidity(at: now(), until: credentials.expiration)
        return try await mapServiceErrors { try libraries.links.sign(requests, with: credentials, validity: validity) }
    }
}

extension PhotoLink {
    /// An original is addressed by its content and never changes; thumbnails and previews rarely change.
    private static let cacheControl = "private, max-age=3600"

    func request(for user: UserID) -> PresignedRequest {
        switch self {
        case .thumbnail(let md5): Self.jpeg(.thumbnail(user, photo: md5))
        case .preview(let md5): Self.jpeg(.preview(user, photo: md5))
        case .original(let entry):
            PresignedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: ["response-cache-control": Self.cacheControl, "response-content-type": "\(entry.type)"])
        case .download(let entry, let name):
            PresignedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: [
                    "response-content-disposition": Self.attachment(name), "response-content-type": "\(entry.type)",
                ])
        case .downloadedPreview(let md5, let name):
            PresignedRequest(
                .get, .preview(user, photo: md5),
                query: [
                    "response-content-disposition": Self.attachment(name), "response-content-type": "image/jpeg",
                ])
        }
    }

    private static func jpeg(_ key: ObjectKey) -> PresignedRequest {
        PresignedRequest(
            .get, key, query: ["response-cache-control": cacheControl, "response-content-type": "image/jpeg"])
    }

    /// The RFC 6266 header with the name in RFC 8187 encoding only, which all current browsers support.
    package static func attachment(_ name: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return "attachment; filename*=UTF-8''\(name.addingPercentEncoding(withAllowedCharacters: plain) ?? "photo")"
    }
}
