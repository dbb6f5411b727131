import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets
import Sharing
import StorageAccess

/// Opens shared links for their visitors, who have no account.
package struct SharedLinkVisits: Sendable {
    let access: SharedLinkAccess
    let libraries: Libraries
    let credentials: any CredentialIssuer
    let limits: RateLimiter
    let passwords: SharedLinkPasswords
    let keyRing: KeyRing
    let cache: SharedPhotosCache
    let randomness: Randomness
    let now: @Sendable () -> Date

    /// The result of opening a link.
    package enum Opening: Sendable {
        case photos(SharedPhotos)
        case passwordRequired
    }

    /// Opens a link. Four reads if its photos are cached and have not changed, three if it shows no album.
    /// - Parameters:
    ///   - token: The token of its address.
    ///   - pass: What `unlock` returned, for a link with a password.
    /// - Throws: `notFound` for a token that opens nothing, also if its album was deleted; the errors of
    ///   `LibraryService.showLibrary`.
    package func open(_ token: String, pass: String?) async throws(ServiceError) -> Opening {
        let link = try await link(token)
        guard link.document.options.password.map({ isPass(pass, of: link, $0) }) ?? true else {
            return .passwordRequired
        }
        let held = try await storageCredentials(for: link)
        let photos = try await photos(of: link, held)
        return .photos(
            SharedPhotos(link: link, timeline: photos.timeline, name: Self.name(of: photos), credentials: held))
    }

    /// Checks the password of a link.
    /// - Returns: What opens the link until its password changes; `nil` if the password is wrong.
    /// - Throws: `notFound`; `rateLimited` after many attempts; `unavailable` while many passwords are being checked.
    package func unlock(_ token: String, password: String) async throws(ServiceError) -> String? {
        let link = try await link(token)
        guard let expected = link.document.options.password else { return "" }
        try limits.consumePassword(of: link.id)
        return try await mapServiceErrors {
            guard try await passwords.matches(password, expected) else { return nil }
            let code = try keyRing.authenticationCode(of: Self.message(link, expected), for: .sharedLinkPass)
            return "\(keyRing.currentKeyID).\(Base64URL.encode(code))"
        }
    }

    /// Counts a view of a link. One write; not counted if there are too many in a minute, or after a concurrent change.
    package func countView(of photos: SharedPhotos) async throws(ServiceError) {
        guard limits.consumeView(of: photos.link.id) else { return }
        try await mapServiceErrors { try await access.links.countView(of: photos.link) }
    }

    /// Returns addresses of photos for some minutes, signed with credentials that depend on the link.
    package func presignedURLs(
        _ photos: [PhotoLink], of shared: SharedPhotos
    ) async throws(ServiceError) -> PresignedURLs {
        let validity = PresignedURLValidity(at: now(), until: shared.credentials.expiration)
        return try await mapServiceErrors {
            try libraries.links.sign(
                photos.map { $0.request(for: shared.link.token.user) }, with: shared.credentials, validity: validity)
        }
    }

    /// Returns whether a photo has a preview. One request.
    package func hasPreview(_ photo: ContentDigest, of shared: SharedPhotos) async throws(ServiceError) -> Bool {
        let store = store(of: shared)
        return try await mapServiceErrors {
            try await store.head(.preview(shared.link.token.user, photo: photo)) != nil
        }
    }

    func store(of shared: SharedPhotos) -> any ObjectStore {
        libraries.stores.store(of: shared.link.token.user, shared.credentials)
    }

    func link(_ token: String) async throws(ServiceError) -> SharedLink {
        guard let token = SharedLinkToken(token) else { throw .notFound }
        guard let link = try await mapServiceErrors({ try await access.link(token) }) else { throw .notFound }
        return link
    }

    private func isPass(_ pass: String?, of link: SharedLink, _ password: SharedLinkPassword) -> Bool {
        guard let parts = pass?.split(separator: ".", maxSplits: 1), parts.count == 2,
            let code = Base64URL.decode(parts[1])
        else { return false }
        return keyRing.isAuthentic(
            code, of: Self.message(link, password), for: .sharedLinkPass, keyID: String(parts[0]))
    }

    private static func message(_ link: SharedLink, _ password: SharedLinkPassword) -> Data {
        Data(link.token.description.utf8) + password.tag
    }

    /// Returns read-only credentials for the account of a link, which are cached and never leave the service.
    private func storageCredentials(for link: SharedLink) async throws(ServiceError) -> StorageCredentials {
        if let held = cache.credentials(of: link.id), now() < held.renewal { return held.credentials }
        let grant = StorageGrant(
            user: link.token.user, device: DeviceID(uuid: randomness.uuid()),
            session: SessionID(uuid: randomness.uuid()), sharedLink: link.id.description, access: .read,
            expiresAt: now().addingTimeInterval(Self.credentialLifetime))
        let issued = try await mapServiceErrors { try await credentials.issue(grant) }
        let renewal = issued.expiration.addingTimeInterval(-PresignedURLValidity.maximumDuration)
        cache.store(CachedCredentials(credentials: issued, renewal: renewal), of: link.id)
        return issued
    }

    /// Returns the photos of a link, from the cache if neither the catalog nor the albums have changed.
    private func photos(
        of link: SharedLink, _ held: StorageCredentials
    ) async throws(ServiceError) -> CachedSharedPhotos {
        let user = link.token.user
        let device = DeviceID(uuid: user.uuid)
        let content = link.document.content
        if let known = cache.photos(of: link.id), known.content == content {
            let catalogs = libraries.catalogs(user, held, device: device, sizes: CatalogSizes())
            let isCurrent = try await mapServiceErrors {
                async let isNewest = catalogs.isNewest(known.version)
                let areCurrent =
                    if case .album = content { try await catalogs.tag(of: Albums.self) == known.albums } else { true }
                return try await isNewest && areCurrent
            }
            if isCurrent { return known }
        }
        return try await libraries.read(user, held, device: device, forVisitor: true) { catalogs in
            let version =
                if let known = libraries.cache.library(of: user)?.newest {
                    try await catalogs.newest(after: known)
                } else {
                    try await catalogs.load()
                }
            libraries.store(version, of: user)
            let (contents, albums) = try await contents(content, catalogs)
            let found = CachedSharedPhotos(
                content: content, version: version, albums: albums,
                timeline: Timeline(version.catalog.entries).limited(to: contents))
            cache.store(found, of: link.id)
            return found
        }
    }

    private func contents(
        _ content: SharedContent, _ catalogs: CatalogStore
    ) async throws -> (contents: Set<ContentDigest>, albums: ETag?) {
        switch content {
        case .photos(let photos): return (Set(photos.compactMap { ContentDigest($0) }), nil)
        case .album(let id):
            let albums = try await catalogs.stored(Albums.self)
            guard let id = AlbumID(id), let album = albums.document[id] else { throw ServiceError.notFound }
            return (album.contents, albums.tag)
        }
    }

    /// Returns the name of a state of the photos, from which the names of catalogs cannot be told.
    private static func name(of photos: CachedSharedPhotos) -> String {
        let state = "\(photos.version.head.name)-\(photos.albums?.description ?? "")"
        return String(ContentDigest(of: ByteBuffer(string: state)).description.prefix(16))
    }

    /// The lifetime of the credentials that sign addresses, in seconds.
    private static let credentialLifetime: TimeInterval = 3600
}
