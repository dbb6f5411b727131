import AccountMaintenance
import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets

/// Adds photos of a legacy layout to users' catalogs, with the same writes as a device.
struct LiveCatalogs: LegacyCatalogs {
    let store: any ObjectStore
    let pause: Backoff
    let randomness: Randomness
    let now: @Sendable () -> Date

    func addPhotos(
        of user: UserID, known: @Sendable () async throws -> [String: LegacyPhoto],
        willWrite: @Sendable (ObjectKey) async throws -> Void
    ) async throws -> LegacyCatalogOutcome {
        let adoption = StoredPhotoImport(
            store: store, user: user, pause: pause, randomness: randomness, now: Timestamp(whole: now()))
        do {
            let outcome = try await adoption.run {
                try await Self.photos(known())
            } willWrite: {
                try await willWrite($0)
            }
            return .listed(added: outcome.added, isRebuilt: outcome.isRebuilt)
        } catch let error as CatalogError {
            switch error {
            case .store(let error): throw error
            case .unknownColumns, .tooLarge, .full: return .refused
            default: throw ObjectStoreError.unavailable("the catalog of \(user): \(error)")
            }
        }
    }

    private static func photos(_ known: [String: LegacyPhoto]) -> [ContentDigest: StoredPhotoImport.PhotoDetails] {
        var photos: [ContentDigest: StoredPhotoImport.PhotoDetails] = [:]
        for (md5, photo) in known {
            guard let digest = ContentDigest(md5) else { continue }
            let modified = Timestamp(seconds: photo.writtenAt, nanoseconds: 0)
            photos[digest] = StoredPhotoImport.PhotoDetails(path: photo.path, modified: modified)
        }
        return photos
    }
}
