import Foundation

/// An export that can be downloaded.
package struct PreparedExport: Codable, Sendable, Equatable {
    package let id: UUID
    package let createdAt: Date
    package let expiresAt: Date
    /// The size of the archive in bytes.
    package let size: Int64
    /// The number of photos, those in the trash included.
    package let photos: Int
    /// The number of photos of the catalog that the store does not have.
    package let missingPhotos: Int
    /// Whether the catalog could not be read, so that photos have no paths.
    package let isCatalogDamaged: Bool

    package init(
        id: UUID, createdAt: Date, expiresAt: Date, size: Int64, photos: Int, missingPhotos: Int,
        isCatalogDamaged: Bool
    ) {
        self.id = id
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.size = size
        self.photos = photos
        self.missingPhotos = missingPhotos
        self.isCatalogDamaged = isCatalogDamaged
    }
}
