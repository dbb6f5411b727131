import PhotoCatalog

/// A photo or video of an Immich server.
package struct ImmichAsset: Sendable, Equatable {
    package enum Visibility: String, Sendable, CaseIterable {
        case timeline
        case archive
        /// The video of a Live Photo.
        case hidden
    }

    /// A UUID in lowercase.
    package let id: String
    package let ownerID: String
    /// The name of the file as it was uploaded.
    package let name: String
    package var visibility: Visibility
    /// The SHA-1 of the file; `nil` if the server has none, as for the files of external libraries.
    package var sha1: [UInt8]?
    /// The length of the file in bytes, if the server has read it.
    package var size: Int64?
    /// When it was taken, as a moment; without a date in the file, when the file was written.
    package var taken: Timestamp?
    /// The year on the clock of the place where it was taken.
    package var year: Int?
    package var modified: Timestamp
    /// When it was uploaded to Immich.
    package var added: Timestamp?
    package var location: GeoLocation?
    /// The video that belongs to this picture.
    package var videoID: String?
    package var caption: String?
    /// One to five stars.
    package var rating: Int?
    package var isFavorite = false
    package var isTrashed = false
    /// Whether the server does not find the file.
    package var isOffline = false
    package var isStacked = false
    /// Whether Immich shows an edited version. Its API returns the original.
    package var isEdited = false
    /// Whether the server has read the metadata of the file.
    package var hasMetadata = true

    package init(id: String, ownerID: String, name: String, visibility: Visibility, modified: Timestamp) {
        (self.id, self.ownerID, self.name) = (id, ownerID, name)
        (self.visibility, self.modified) = (visibility, modified)
    }
}

/// An album of an Immich server, and the photos of the account in it.
package struct ImmichAlbum: Sendable, Equatable {
    package let id: String
    package let title: String
    package let created: Timestamp?
    package var assets: [String]

    package init(id: String, title: String, created: Timestamp?, assets: [String]) {
        (self.id, self.title, self.created, self.assets) = (id, title, created, assets)
    }
}

/// What an Immich server has of one account.
package struct ImmichContent: Sendable {
    package let accountID: String
    /// The version of the server, such as `2.4.1`.
    package let version: String
    package var assets: [ImmichAsset] = []
    package var albums: [ImmichAlbum] = []
    /// The names or numbers of assets whose description by the server is incomplete.
    package var notUnderstood: [String] = []

    package init(accountID: String, version: String) { (self.accountID, self.version) = (accountID, version) }
}
