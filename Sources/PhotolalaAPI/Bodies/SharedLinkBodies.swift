import Foundation

/// Body of `POST /links`: a link that shows an album or photos of the library to anyone who has its address.
public struct NewSharedLink: Codable, Sendable, Equatable {
    /// The maximum number of photos of a link that does not show an album.
    public static let maximumPhotos = 1000
    /// The days after which a link ends unless its owner chooses another time, in the portal, the SDK and the command
    /// line. The API has no default.
    public static let standardDays = 30

    /// The album's ID: 16 lower-case hex digits. Either this or `photos`. The link shows what the album contains when
    /// it is opened.
    public let album: String?
    /// The MD5s of 1 to 1,000 photos, each as 32 lower-case hex digits. Those that the library does not have are
    /// ignored.
    public let photos: [String]?
    /// The heading of the page that the link opens: 1 to 256 bytes without control characters.
    public let title: String
    /// When the link ends; omitted for a link that does not expire.
    public let expiresAt: Date?
    /// What visitors must enter: 8 to 128 bytes. Omitted for a link without a password.
    public let password: String?
    /// Whether the page offers the originals for download.
    public let allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    public let includesLocation: Bool

    /// Creates a request.
    public init(
        album: String? = nil, photos: [String]? = nil, title: String, expiresAt: Date?, password: String? = nil,
        allowsDownloads: Bool, includesLocation: Bool
    ) {
        self.album = album
        self.photos = photos
        self.title = title
        self.expiresAt = expiresAt
        self.password = password
        self.allowsDownloads = allowsDownloads
        self.includesLocation = includesLocation
    }
}

/// Body of `PUT /links/{id}`: all options of a link. Only its password stays if none is sent.
public struct SharedLinkChange: Codable, Sendable, Equatable {
    /// The heading of the page that the link opens: 1 to 256 bytes without control characters.
    public let title: String
    /// When the link ends; omitted for a link that does not expire. A time in the past is accepted only if it is the
    /// link's own.
    public let expiresAt: Date?
    /// The new password: 8 to 128 bytes. Omitted, the link keeps the one it has.
    public let password: String?
    /// Without `password`, whether the link has no password any more.
    public let removesPassword: Bool?
    /// Whether the page offers the originals for download.
    public let allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    public let includesLocation: Bool

    /// Creates a request.
    public init(
        title: String, expiresAt: Date?, password: String? = nil, removesPassword: Bool? = nil, allowsDownloads: Bool,
        includesLocation: Bool
    ) {
        self.title = title
        self.expiresAt = expiresAt
        self.password = password
        self.removesPassword = removesPassword
        self.allowsDownloads = allowsDownloads
        self.includesLocation = includesLocation
    }
}

/// A shared link of the account.
public struct ListedSharedLink: Codable, Sendable, Equatable {
    /// Identifies the link within the account: 32 lower-case hex digits. It does not open the link.
    public let id: String
    /// The URL that shows the photos to anyone who has it.
    public let address: String
    /// The heading of the page that the link opens.
    public let title: String
    /// The ID of the album that it shows, which may have been deleted; omitted for a link to photos.
    public let album: String?
    /// The number of photos that were shared; omitted for a link to an album.
    public let photos: Int?
    /// When the link was created.
    public let createdAt: Date
    /// When the link ends or ended; omitted if it does not expire.
    public let expiresAt: Date?
    /// Whether visitors must enter a password.
    public let hasPassword: Bool
    /// Whether the page offers the originals for download.
    public let allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    public let includesLocation: Bool
    /// The number of times that the link was opened, each browser at most once a day.
    public let views: Int
    /// Whether the operator disabled the link. It opens nothing then.
    public let isDisabled: Bool

    /// Creates a link.
    public init(
        id: String, address: String, title: String, album: String?, photos: Int?, createdAt: Date, expiresAt: Date?,
        hasPassword: Bool, allowsDownloads: Bool, includesLocation: Bool, views: Int, isDisabled: Bool
    ) {
        self.id = id
        self.address = address
        self.title = title
        self.album = album
        self.photos = photos
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.hasPassword = hasPassword
        self.allowsDownloads = allowsDownloads
        self.includesLocation = includesLocation
        self.views = views
        self.isDisabled = isDisabled
    }
}

/// Response body of `GET /links`.
public struct ListedSharedLinks: Codable, Sendable, Equatable {
    /// The links, the newest first, expired ones included; at most 100, and a few more after
    /// simultaneous creations.
    public let links: [ListedSharedLink]

    /// Creates a response.
    public init(links: [ListedSharedLink]) { self.links = links }
}
