import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Sessions
import StorageAccess

/// What a page shows or gives of a photo.
package enum PhotoLink: Sendable {
    case thumbnail(ContentDigest)
    /// The photo itself, to be shown as what it is.
    case original(CatalogEntry)
    /// The photo itself as a file of its name.
    case download(CatalogEntry)
}

/// Storage credentials of one session, and how far they reach.
struct CredentialKey: Hashable, Sendable {
    let session: SessionID
    let access: StorageAccessLevel
}

/// Storage credentials that links are signed with until it is time for new ones.
struct HeldCredentials: Sendable {
    let credentials: StorageCredentials
    let renewal: Date
}

extension Services {
    /// Addresses that open photos of the caller for some minutes, signed with the caller's own storage credentials. They
    /// are asked for only some times an hour.
    package func link(_ photos: [PhotoLink], caller: Caller) async throws(FlowError) -> SignedLinks {
        try await sign(photos.map { $0.request(for: caller.user) }, caller: caller)
    }

    func sign(_ requests: [LinkedRequest], caller: Caller) async throws(FlowError) -> SignedLinks {
        let credentials = try await heldCredentials(caller)
        let validity = LinkValidity(at: now(), until: credentials.expiration)
        return try await step { try libraries.links.sign(requests, with: credentials, validity: validity) }
    }

    /// Storage credentials of the caller's own, which are kept for a while and never leave the service.
    /// - Parameter access: how far they reach; as far as the account does, where there is none.
    func heldCredentials(
        _ caller: Caller, access: StorageAccessLevel? = nil
    ) async throws(FlowError) -> StorageCredentials {
        let own = try self.access(of: caller)
        let key = CredentialKey(session: caller.session.id, access: access ?? own)
        if let held = libraries.memory.credentials(key), now() < held.renewal { return held.credentials }
        let credentials = try await issue(key.access, to: caller, for: Self.heldLifetime)
        // Near the session's end there are none that last longer: not each page asks again.
        let renewal = max(
            credentials.expiration.addingTimeInterval(-LinkValidity.longest),
            min(credentials.expiration, now().addingTimeInterval(60)))
        libraries.memory.keep(HeldCredentials(credentials: credentials, renewal: renewal), for: key)
        return credentials
    }

    /// The life of credentials that no device gets, in seconds: what is handed out are links, which end far sooner.
    private static var heldLifetime: TimeInterval { 3600 }
}

extension PhotoLink {
    /// A photo under its content's name never changes; a thumbnail hardly ever.
    private static let caching = "private, max-age=3600"

    fileprivate func request(for user: UserID) -> LinkedRequest {
        switch self {
        case .thumbnail(let md5):
            LinkedRequest(
                .get, ObjectKey(known: StorageLayout.thumbnail(user, md5: "\(md5)")),
                query: ["response-cache-control": Self.caching, "response-content-type": "image/jpeg"])
        case .original(let entry):
            LinkedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: ["response-cache-control": Self.caching, "response-content-type": "\(entry.type)"])
        case .download(let entry):
            LinkedRequest(
                .get, ObjectKey(known: StorageLayout.photo(user, md5: "\(entry.md5)")),
                query: [
                    "response-content-disposition": Self.attachment(entry.path.name),
                    "response-content-type": "\(entry.type)",
                ])
        }
    }

    /// RFC 6266, with the name in RFC 8187's spelling alone: every browser in use reads it.
    private static func attachment(_ name: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return "attachment; filename*=UTF-8''\(name.addingPercentEncoding(withAllowedCharacters: plain) ?? "photo")"
    }
}
