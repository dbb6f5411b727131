import PhotoCatalog
import PhotolalaAPI
import Sharing

/// Shared links with the bodies of the API. The rules are those of the pages.
extension SharingService {
    /// Returns the caller's links, the newest first.
    /// - Parameter base: The URL below which the tokens of links open them.
    package func list(_ caller: Caller, below base: String) async throws(ServiceError) -> ListedSharedLinks {
        ListedSharedLinks(links: try await links(caller).map { ListedSharedLink($0, below: base) })
    }

    /// Creates a link.
    /// - Throws: `invalidRequest` unless it names either an album or photos, or for invalid options; the errors of
    ///   `create(toAlbum:)` and `create(to:)`.
    package func create(
        _ new: NewSharedLink, _ caller: Caller, below base: String
    ) async throws(ServiceError) -> ListedSharedLink {
        let options = Options(
            title: new.title, expiresAt: new.expiresAt, password: new.password.map(PasswordChange.set) ?? .keep,
            allowsDownloads: new.allowsDownloads, includesLocation: new.includesLocation)
        let created: Result<SharedLink, InvalidOption>
        switch (new.album, new.photos) {
        case (let album?, nil):
            guard let id = AlbumID(album) else { throw .invalidRequest("album must be 16 lower-case hex digits.") }
            created = try await create(toAlbum: id, options, caller)
        case (nil, let photos?): created = try await create(to: try Self.digests(photos), options, caller)
        default: throw .invalidRequest("Send either album or photos.")
        }
        return try ListedSharedLink(Self.valid(created), below: base)
    }

    /// Changes the options of a link.
    /// - Throws: `notFound`; `invalidRequest` for invalid options; the errors of `change`.
    package func change(
        _ id: String, _ change: SharedLinkChange, _ caller: Caller, below base: String
    ) async throws(ServiceError) -> ListedSharedLink {
        let password: PasswordChange
        switch (change.password, change.removesPassword ?? false) {
        case (nil, false): password = .keep
        case (nil, true): password = .remove
        case (let text?, _): password = .set(text)
        }
        let options = Options(
            title: change.title, expiresAt: change.expiresAt, password: password,
            allowsDownloads: change.allowsDownloads, includesLocation: change.includesLocation)
        let changed = try await self.change(try Self.id(id), options, caller)
        return try ListedSharedLink(Self.valid(changed), below: base)
    }

    /// Deletes a link.
    /// - Throws: `notFound`.
    package func delete(_ id: String, _ caller: Caller) async throws(ServiceError) {
        try await delete(try Self.id(id), caller)
    }

    private static func id(_ text: String) throws(ServiceError) -> SharedLinkID {
        guard let id = SharedLinkID(text) else { throw .notFound }
        return id
    }

    private static func digests(_ photos: [String]) throws(ServiceError) -> Set<ContentDigest> {
        var digests: Set<ContentDigest> = []
        for photo in photos {
            guard let digest = ContentDigest(photo) else {
                throw .invalidRequest("Each of photos must be an MD5 of 32 lower-case hex digits.")
            }
            digests.insert(digest)
        }
        return digests
    }

    private static func valid(_ result: Result<SharedLink, InvalidOption>) throws(ServiceError) -> SharedLink {
        switch result {
        case .success(let link): return link
        case .failure(.title):
            throw .invalidRequest("title must be 1 to \(AlbumName.maximumLength) bytes without control characters.")
        case .failure(.expiry): throw .invalidRequest("expiresAt must be in the future.")
        case .failure(.password):
            let lengths = SharedLinkPassword.lengths
            throw .invalidRequest("password must be \(lengths.lowerBound) to \(lengths.upperBound) bytes.")
        }
    }
}

extension ListedSharedLink {
    fileprivate init(_ link: SharedLink, below base: String) {
        let (document, options) = (link.document, link.document.options)
        let (album, photos): (String?, Int?) =
            switch document.content {
            case .album(let id): (id, nil)
            case .photos(let photos): (nil, photos.count)
            }
        self.init(
            id: link.id.description, address: "\(base)/\(link.token)", title: options.title, album: album,
            photos: photos, createdAt: document.createdAt, expiresAt: options.expiresAt,
            hasPassword: options.password != nil, allowsDownloads: options.allowsDownloads,
            includesLocation: options.includesLocation, views: document.views, isDisabled: document.disabled != nil)
    }
}
