import Foundation
import PhotoCatalog
import PhotolalaAPI

/// Links that show photos to anyone who has their address. They do not end with the session that created them.
///
/// ```swift
/// let settings = SharedLinkSettings(expiry: .days(7))
/// let link = try await library.shareAlbum("Rome", settings)
/// print(link.address)
/// ```
///
/// All functions throw `notAllowed` if the server has no shared links.
extension PhotolalaLibrary {
    /// Returns the account's shared links, the newest first, also those that have expired.
    public func sharedLinks() async throws(PhotolalaError) -> [ListedSharedLink] {
        try await session.authorized(.sharedLinks).value.links
    }

    /// Shares an album: what it contains when the link is opened.
    /// - Parameters:
    ///   - album: The album's ID or its name, ignoring case.
    ///   - title: The heading of the page, 1 to 256 bytes; with `nil` the album's name.
    /// - Throws: `notFound` if there is no such album; `invalidRequest` if several albums have the name, for an invalid
    ///   option, and for more than 100 links.
    public func shareAlbum(
        _ album: String, title: String? = nil, _ settings: SharedLinkSettings
    ) async throws(PhotolalaError) -> ListedSharedLink {
        let (user, store) = try await open(for: .reading)
        let found: Album
        do {
            found = try await CatalogStore(store: store, user: user, pause: pause).album(album)
        } catch {
            throw PhotolalaError(error)
        }
        return try await create(
            NewSharedLink(album: found.id.description, title: title ?? found.name.description, settings, at: now()),
            as: user)
    }

    /// Shares photos. Those that are moved to the trash disappear from the link.
    /// - Parameters:
    ///   - photos: 1 to 1,000 photos.
    ///   - title: The heading of the page, 1 to 256 bytes; with `nil` the days of the first and the last photo.
    ///   - locale: How these days are written.
    /// - Throws: `invalidRequest` for more photos, for an invalid option, and for more than 100 links.
    public func sharePhotos(
        _ photos: some Collection<LibraryPhoto>, title: String? = nil, locale: Locale = .current,
        _ settings: SharedLinkSettings
    ) async throws(PhotolalaError) -> ListedSharedLink {
        let contents = Set(photos.map(\.md5)).sorted()
        guard contents.count <= NewSharedLink.maximumPhotos else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "A link shows at most \(NewSharedLink.maximumPhotos) photos. Share an album instead.")
        }
        return try await create(
            NewSharedLink(photos: contents, title: title ?? Self.days(of: photos, locale), settings, at: now()))
    }

    private static func days(of photos: some Collection<LibraryPhoto>, _ locale: Locale) -> String {
        let days = photos.compactMap { photo in
            try? Date("\((photo.taken ?? photo.modified).prefix(10))T00:00:00Z", strategy: .iso8601)
        }
        guard let first = days.min(), let last = days.max() else { return "Photos" }
        return DayRange.text(from: first, to: last, locale: locale)
    }

    /// Deletes a shared link. Its address opens nothing any more.
    /// - Parameter id: The ID of a `ListedSharedLink`.
    /// - Throws: `notFound`.
    public func revokeSharedLink(_ id: String) async throws(PhotolalaError) {
        _ = try await session.authorized(.deleteSharedLink, ["id": id])
    }

    private func create(
        _ new: NewSharedLink, as user: UserID? = nil
    ) async throws(PhotolalaError) -> ListedSharedLink {
        try await session.authorized(.createSharedLink, body: new, as: user).value
    }
}

extension NewSharedLink {
    fileprivate init(
        album: String? = nil, photos: [String]? = nil, title: String, _ settings: SharedLinkSettings, at time: Date
    ) {
        self.init(
            album: album, photos: photos, title: title, expiresAt: settings.expiry.end(from: time),
            password: settings.password, allowsDownloads: settings.allowsDownloads,
            includesLocation: settings.includesLocation)
    }
}
