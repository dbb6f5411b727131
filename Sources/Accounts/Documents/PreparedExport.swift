import Foundation
import PhotolalaAPI

/// An export that can be downloaded.
package struct PreparedExport: Codable, Sendable, Equatable {
    package let id: ExportID
    /// The device that requested the export, and that alone may download it: no other one has authenticated for it.
    package let device: DeviceID
    package let createdAt: Date
    package let expiresAt: Date
    /// The size of the archive in bytes.
    package let size: Int64
    /// The size of the archive's head in bytes.
    package let headSize: Int64
    /// The number of photos, those in the trash included.
    package let photos: Int
    /// The number of photos of the catalog that the store does not have.
    package let missingPhotos: Int
    /// The number of photos that are left out because they are archived in the store.
    package let archivedPhotos: Int
    /// Whether the catalog could not be read, so that photos have no paths.
    package let isCatalogDamaged: Bool

    package init(
        id: ExportID, device: DeviceID, createdAt: Date, expiresAt: Date, size: Int64, headSize: Int64, photos: Int,
        missingPhotos: Int, archivedPhotos: Int, isCatalogDamaged: Bool
    ) {
        self.id = id
        self.device = device
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.size = size
        self.headSize = headSize
        self.photos = photos
        self.missingPhotos = missingPhotos
        self.archivedPhotos = archivedPhotos
        self.isCatalogDamaged = isCatalogDamaged
    }
}
