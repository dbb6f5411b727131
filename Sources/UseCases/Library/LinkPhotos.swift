import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Sessions
import StorageAccess

/// The link to a photo that a page needs.
package enum PhotoLink: Sendable {
    case thumbnail(ContentDigest)
    /// The original, shown inline with its media type.
    case original(CatalogEntry)
    /// The original, downloaded under its file name.
    case download(CatalogEntry)
}

/// The cache key of storage credentials: one session and an access level.
struct CredentialKey: Hashable, Sendable {
    let session: SessionID
    let access: StorageAccessLevel
}

/// Storage credentials that sign links until they are renewed.
struct CachedCredentials: Sendable {
    let credentials: StorageCredentials
    let renewal: Date
}

extension Services {
    /// Returns links that open photos of the caller for some minutes, signed with the caller's own storage credentials.
    /// The credentials are issued only a few times an hour.
    package func presignedURLs(_ photos: [PhotoLink], caller: Caller) async throws(ServiceError) -> PresignedURLs {
        try await presign(photos.map { $0.request(for: caller.user) }, caller: caller)
    }

    func presign(_ requests: [PresignedRequest], caller: Caller) async throws(ServiceError) -> PresignedURLs {
        let credentials = try await cachedCredentials(caller)
        let validity = PresignedURLValidity(at: now(), until: credentials.expiration)
        return try await mapServiceErrors { try libraries.links.sign(requests, with: credentials, validity: validity) }
    }

    /// Returns storage credentials of the caller, which are cached and never leave the service.
    /// - Parameter access: the access level; the account's own if `nil`.
    func cachedCredentials(
        _ caller: Caller, access: StorageAccessLevel? = nil
    ) async throws(ServiceError) -> StorageCredentials {
        let own = try self.access(of: caller)
        let key = CredentialKey(session: caller.session.id, access: access ?? own)
        if let held = libraries.cache.credentials(key), now() < held.renewal { return held.credentials }
        let credentials = try await issue(key.access, to: caller, for: Self.cachedCredentialLifetime)
        // Near the session's end credentials cannot last longer; the minimum of a minute avoids new ones for each page.
        let renewal = max(
            credentials.expiration.addingTimeInterval(-PresignedURLValidity.maximumDuration),
            min(credentials.expiration, now().addingTimeInterval(60)))
        libraries.cache.store(CachedCredentials(credentials: credentials, renewal: renewal), for: key)
        return credentials
    }

    /// The lifetime of cached credentials, in seconds. Only links leave the service, and they expire far sooner.
    private static var cachedCredentialLifetime: TimeInterval { 3600 }
}

extension PhotoLink {
    /// An original is addressed by its content and never changes; a thumbnail rarely changes.
    private static let cacheControl = "private, max-age=3600"

    fileprivate func request(for user: UserID) -> PresignedRequest {
        switch self {
        case .thumbnail(let md5):
            PresignedRequest(
                .get, ObjectKey(known: StorageLayout.thumbnail(user, md5: "\(md5)")),
                query: ["response-cache-control": Self.cacheControl, "response-content-type": "image/jpeg"])
        case .original(let entry):
            PresignedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: ["response-cache-control": Self.cacheControl, "response-content-type": "\(entry.type)"])
        case .download(let entry):
            PresignedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: [
                    "response-content-disposition": Self.attachment(entry.path.name),
                    "response-content-type": "\(entry.type)",
                ])
        }
    }

    /// The RFC 6266 header with the name in RFC 8187 encoding only, which all current browsers support.
    private static func attachment(_ name: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return "attachment; filename*=UTF-8''\(name.addingPercentEncoding(withAllowedCharacters: plain) ?? "photo")"
    }
}
