import Foundation
import ObjectStorage
import PhotolalaAPI

/// What a shared link shows.
package enum SharedContent: Codable, Sendable, Equatable {
    /// An album by its id: what it contains when the link is opened.
    case album(String)
    /// The MD5s of photos, in lower-case hex digits.
    case photos([String])

    /// The most photos of a link that does not show an album.
    package static let maximumPhotos = NewSharedLink.maximumPhotos
}

/// What the owner of a shared link can change.
package struct SharedLinkOptions: Codable, Sendable, Equatable {
    /// The heading of the page that the link opens; at most 256 bytes.
    package var title: String
    /// `nil` if the link does not expire.
    package var expiresAt: Date?
    package var password: SharedLinkPassword?
    /// Whether the page offers the originals for download.
    package var allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    package var includesLocation: Bool

    package init(
        title: String, expiresAt: Date?, password: SharedLinkPassword?, allowsDownloads: Bool, includesLocation: Bool
    ) {
        (self.title, self.expiresAt, self.password) = (title, expiresAt, password)
        (self.allowsDownloads, self.includesLocation) = (allowsDownloads, includesLocation)
    }
}

/// A shared link as it is stored.
package struct SharedLinkDocument: VersionedDocument {
    /// An operator's decision that a link opens no more.
    package struct Disabled: Codable, Sendable, Equatable {
        package let since: Date
        package let reason: String

        package init(since: Date, reason: String) { (self.since, self.reason) = (since, reason) }
    }

    package var version: Int
    /// Opens the link. Stored so that the owner can copy the address again.
    package let token: String
    package let content: SharedContent
    package let createdAt: Date
    package var options: SharedLinkOptions
    /// The number of times that the link was opened, each browser at most once a day.
    package var views: Int
    package var disabled: Disabled?

    /// Returns whether the link has expired.
    package func isExpired(at time: Date) -> Bool { options.expiresAt.map { $0 <= time } ?? false }
}
